import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { findFreePort } from '@/lib/core/ports';
import { useTestDatabase } from '@/lib/testing/database';
import { createDatabase, type Database } from './client';
import { Prisma } from './generated/client';
import { joinReads, readTogether } from './read-together';

const database = useTestDatabase();

type Row = { n: number; name: string | null };

/** A database, and how many statements it was sent. */
function counted(counting = database.db) {
  const sent = { statements: 0 };
  const db = new Proxy(counting, {
    get: (target, property) => {
      if (property === '$queryRaw') sent.statements += 1;
      return Reflect.get(target, property);
    },
  });
  return { db, sent };
}

const readUpTo = (db: Pick<Database, '$queryRaw'>, last: number) =>
  db.$queryRaw<Row[]>`
    SELECT n, CASE WHEN n > 1 THEN concat('é"', n) END AS name FROM generate_series(1, ${last}::int) AS n ORDER BY n DESC`;

it('sends queries that begin together as one statement, with the rows of each in their order', async () => {
  const { db, sent } = counted();
  const read = await readTogether(db, (reader) =>
    Promise.all([
      readUpTo(reader, 2),
      readUpTo(reader, 0),
      reader.$queryRaw(Prisma.sql`SELECT ARRAY['a', 'b'] AS list`),
    ]),
  );
  const rows = [
    { n: 2, name: 'é"2' },
    { n: 1, name: null },
  ];
  expect(read).toEqual([rows, [], [{ list: ['a', 'b'] }]]);
  expect(sent.statements).toBe(1);
});

it('sends later queries on their own, and nothing if nothing is read', async () => {
  const { db, sent } = counted();
  const rows = await readTogether(db, async (reader) => {
    const [first] = await readUpTo(reader, 3);
    return readUpTo(reader, first?.n ?? 0);
  });
  expect([rows.length, sent.statements]).toEqual([3, 2]);
  expect(await readTogether(db, async () => 'nothing')).toBe('nothing');
  expect(sent.statements).toBe(2);
});

it('returns whole rows, whatever their columns are named', async () => {
  const rows = await readTogether(
    database.db,
    (reader) =>
      reader.$queryRaw`SELECT 1 AS n, NULL::json AS own UNION ALL SELECT 2, '{"name":"Berlin"}'::json`,
  );
  expect(rows).toEqual([
    { n: 1, own: null },
    { n: 2, own: { name: 'Berlin' } },
  ]);
});

it('passes parameters as a statement of its own does, wherever the process runs', async () => {
  const at = new Date('2026-01-01T13:00:00.250Z');
  const read = (db: Pick<Database, '$queryRaw'>) =>
    db.$queryRaw`
      SELECT (${at}::timestamptz)::text AS moment, (${at}::date)::text AS day, (${[at, at]}::timestamptz[])::text AS moments,
             (${['a', 'b,"c"']}::text[])::text AS texts, (${null}::text) AS nothing, (${true}::boolean)::text AS yes, (${7n}::bigint)::text AS large`;
  vi.stubEnv('TZ', 'Pacific/Auckland');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(at.getDate(), 'there, it is another day').toBe(2);
  expect(await readTogether(database.db, read)).toEqual(await read(database.db));
});

it('fails as a whole', async () => {
  const working = readTogether(database.db, (reader) =>
    Promise.all([readUpTo(reader, 2), reader.$queryRaw`SELECT 1 / 0 AS n`]),
  );
  await expect(working).rejects.toThrow('division by zero');
});

describe('in the database of a request', () => {
  it('sends what begins before it waits for anything as one statement, and later queries as another', async () => {
    const { db, sent } = counted();
    const joined = joinReads(db);
    const read = (last: number) => readTogether(joined, (reader) => readUpTo(reader, last));
    const [one, two, last] = await Promise.all([
      read(1),
      Promise.resolve().then(() => read(2)),
      read(1).then(([row]) => read((row?.n ?? 0) + 2)),
    ]);
    expect([one.length, two.length, last.length]).toEqual([1, 2, 3]);
    expect(sent.statements).toBe(2);
  });

  it('fails alone', async () => {
    const joined = joinReads(database.db);
    const [failed, read] = await Promise.allSettled([
      readTogether(joined, (reader) => reader.$queryRaw`SELECT 1 / 0 AS n`),
      readTogether(joined, (reader) => readUpTo(reader, 2)),
    ]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { message: /division by zero/ } });
    expect(read).toMatchObject({ status: 'fulfilled', value: { length: 2 } });
  });

  it('fails at once while the database cannot be reached', async () => {
    const url = `postgres://nobody@127.0.0.1:${await findFreePort()}/none`;
    const { db, sent } = counted(createDatabase(url, { poolSize: 1, name: 'unreachable' }));
    const joined = joinReads(db);
    const reading = Promise.all([1, 2].map((n) => readTogether(joined, (reader) => readUpTo(reader, n))));
    await expect(reading).rejects.toThrow();
    expect(sent.statements).toBe(1);
  });
});
