import { expect, it } from 'vitest';
import { connectTo } from '@/lib/platform/db/testing/old-databases';
import { useTestDatabase } from '@/lib/testing/database';
import { TREATMENTS } from './table-treatment';

const database = useTestDatabase();

it('says for every table what a backup contains of it', async () => {
  const client = await connectTo(database.url);
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    SELECT nspname || '.' || relname AS name,
           array(SELECT attname::text FROM pg_attribute WHERE attrelid = own.oid AND NOT attnotnull AND attnum > 0) AS columns
      FROM pg_class AS own JOIN pg_namespace AS namespace ON namespace.oid = relnamespace
     WHERE nspname IN ('public', 'raw') AND relkind IN ('r', 'p') AND NOT relispartition`);
  expect(Object.keys(TREATMENTS).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  for (const { name, columns } of rows) {
    const treatment = TREATMENTS[name];
    const cleared = typeof treatment === 'object' ? treatment.cleared : [];
    expect(columns, name).toEqual(expect.arrayContaining([...cleared]));
  }
});

it('clears every claim and lease that a worker can hold', async () => {
  const client = await connectTo(database.url);
  const { rows } = await client.query<{ name: string; column: string }>(`
    SELECT table_schema || '.' || table_name AS name, column_name AS column FROM information_schema.columns
     WHERE table_schema IN ('public', 'raw') AND column_name ~ '^(claimed_by|lease_|owner$)'`);
  for (const { name, column } of rows) {
    const treatment = TREATMENTS[name];
    expect(typeof treatment === 'object' ? treatment.cleared : [], name).toContain(column);
  }
});
