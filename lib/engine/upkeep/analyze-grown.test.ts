import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type Database } from '@/lib/platform/db/client';
import { connectTo } from '@/lib/platform/db/testing/old-databases';
import { useTestDatabase } from '@/lib/testing/database';
import { analyzeGrown } from './analyze-grown';

const database = useTestDatabase();

let db: Database;
beforeAll(() => {
  // What a connection has written is known once it has reported it.
  db = createDatabase(database.url, { poolSize: 1, name: 'pharos worker' });
});
afterAll(() => db.$disconnect());

async function addOrganizations(from: number, to: number): Promise<void> {
  await db.$executeRaw`
    INSERT INTO organization (id, name, plan, created_at, updated_at)
    SELECT n, n, 'free', now(), now() FROM generate_series(${from}::int, ${to}::int) AS n`;
  await db.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
}

it('analyzes a table that has grown to a multiple, once, and one that is locked when it no longer is', async () => {
  await addOrganizations(1, 2000);
  expect(await analyzeGrown({ db })).toEqual([]);
  await addOrganizations(2001, 2001);
  expect(await analyzeGrown({ db })).toEqual(['public.organization']);
  expect(await analyzeGrown({ db })).toEqual([]);
  await addOrganizations(2002, 8500);
  const locker = await connectTo(database.url);
  await locker.query('BEGIN; LOCK TABLE organization IN SHARE UPDATE EXCLUSIVE MODE');
  expect(await analyzeGrown({ db })).toEqual(['public.organization']);
  expect(await analyzeGrown({ db })).toEqual(['public.organization']);
  await locker.query('ROLLBACK');
  expect(await analyzeGrown({ db })).toEqual(['public.organization']);
  expect(await analyzeGrown({ db })).toEqual([]);
});
