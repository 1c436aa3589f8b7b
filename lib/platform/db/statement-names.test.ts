import { expect, it } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import { createStatementNames } from './statement-names';

const database = useTestDatabase();

/** The names that a statement gets in `uses` uses. */
function nameRepeatedly(sql: string, uses = 10): string[] {
  const nameOf = createStatementNames();
  return Array.from({ length: uses }, () => nameOf({ sql }));
}

it('names a statement once it was used six times, and keeps the name', () => {
  expect(nameRepeatedly('SELECT $1', 9)).toEqual([...Array(6).fill(''), ...Array(3).fill('pharos_1')]);
});

it.each([
  'SELECT 1 FROM monitor WHERE id IN ($1,$2)',
  'INSERT INTO tag (id) VALUES ($1),($2)',
  'INSERT INTO tag (id) VALUES (DEFAULT,$1), (DEFAULT,$2)',
])('names no statement whose text depends on the length of a list: %s', (sql) => {
  expect(new Set(nameRepeatedly(sql))).toEqual(new Set(['']));
});

it.each(['SELECT 1 FROM monitor WHERE id IN (SELECT $1)', 'SELECT greatest(($1), (SELECT 1))'])(
  'names a statement with subqueries: %s',
  (sql) => {
    expect(new Set(nameRepeatedly(sql))).toEqual(new Set(['', 'pharos_1']));
  },
);

it('names at most 200 statements, each differently', () => {
  const nameOf = createStatementNames();
  for (let use = 0; use < 10; use++) for (let n = 0; n < 300; n++) nameOf({ sql: `SELECT ${n}` });
  const names = Array.from({ length: 300 }, (_, n) => nameOf({ sql: `SELECT ${n}` })).filter(Boolean);
  expect(names).toHaveLength(200);
  expect(new Set(names).size).toBe(200);
});

it('has PostgreSQL keep the plans of statements that are used repeatedly', async () => {
  const { db } = database;
  await db.$transaction(async (tx) => {
    for (let n = 0; n < 20; n++) await tx.$queryRaw`SELECT ${n}::int + 1 AS next`;
    const kept = await tx.$queryRaw<{ statement: string; plans: number }[]>`
      SELECT statement, (generic_plans + custom_plans)::int AS plans FROM pg_prepared_statements WHERE name LIKE 'pharos%'`;
    expect(kept).toMatchObject([{ statement: 'SELECT $1::int + 1 AS next', plans: 14 }]);
  });
});

it('runs a named statement across changes of its table, as it names its columns', async () => {
  const { db } = database;
  await db.$executeRaw`CREATE TABLE fruit (name text, size int)`;
  await db.$executeRaw`INSERT INTO fruit VALUES ('apple')`;
  const read = () => db.$queryRaw`SELECT name FROM fruit WHERE name <> ${'pear'}`;
  for (let n = 0; n < 20; n++) await read();
  await db.$executeRaw`ALTER TABLE fruit ADD COLUMN color text DEFAULT 'green', DROP COLUMN size`;
  expect(await read()).toEqual([{ name: 'apple' }]);
});
