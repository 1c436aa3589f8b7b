import { expect, it } from 'vitest';
import { TIMETABLE } from '@/lib/engine/timetable/timetable';
import { connectTo } from '@/lib/platform/db/testing/old-databases';
import { useTestDatabase } from '@/lib/testing/database';
import { reportCounters, useOneConnection } from '@/lib/testing/row-reads';
import { analyzeGrown } from './analyze-grown';

const database = useTestDatabase();
const connection = useOneConnection(database);

async function addOrganizations(from: number, to: number): Promise<void> {
  await connection.db.$executeRaw`
    INSERT INTO organization (id, name, plan, created_at, updated_at)
    SELECT n, n, 'free', now(), now() FROM generate_series(${from}::int, ${to}::int) AS n`;
  await reportCounters(connection.db);
}

it('analyzes a table that has grown to a multiple, once, and one that is locked when it no longer is', async () => {
  await addOrganizations(1, 2000);
  expect(await analyzeGrown(connection)).toEqual([]);
  await addOrganizations(2001, 2001);
  expect(await analyzeGrown(connection)).toEqual(['public.organization']);
  expect(await analyzeGrown(connection)).toEqual([]);
  await addOrganizations(2002, 8500);
  const locker = await connectTo(database.url);
  await locker.query('BEGIN; LOCK TABLE organization IN SHARE UPDATE EXCLUSIVE MODE');
  expect(await analyzeGrown(connection)).toEqual(['public.organization']);
  expect(await analyzeGrown(connection)).toEqual(['public.organization']);
  await locker.query('ROLLBACK');
  expect(await analyzeGrown(connection)).toEqual(['public.organization']);
  expect(await analyzeGrown(connection)).toEqual([]);
});

it('is a job of the timetable, six times as often as PostgreSQL looks', () => {
  const job = TIMETABLE.find(({ name }) => name === 'statistics');
  expect(job?.everyMs).toBe(10_000);
});
