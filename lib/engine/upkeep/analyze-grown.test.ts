import { expect, it } from 'vitest';
import { connectTo } from '@/lib/platform/db/testing/old-databases';
import { useTestDatabase } from '@/lib/testing/database';
import { analyzeGrown } from './analyze-grown';

const database = useTestDatabase();

async function addOrganizations(from: number, to: number): Promise<void> {
  await database.db.$executeRaw`
    INSERT INTO organization (id, name, plan, created_at, updated_at)
    SELECT n, n, 'free', now(), now() FROM generate_series(${from}::int, ${to}::int) AS n`;
}

/** What is known about a table is read from what connections have reported, which they do at intervals. */
const analyzed = () => expect.poll(() => analyzeGrown(database));

it('analyzes a table that has grown to a multiple, once, and one that is locked when it no longer is', async () => {
  await addOrganizations(1, 2000);
  expect(await analyzeGrown(database)).toEqual([]);
  await addOrganizations(2001, 2100);
  await analyzed().toEqual(['public.organization']);
  expect(await analyzeGrown(database)).toEqual([]);
  await addOrganizations(2101, 8500);
  const locker = await connectTo(database.url);
  await locker.query('BEGIN; LOCK TABLE organization IN SHARE UPDATE EXCLUSIVE MODE');
  await analyzed().toEqual(['public.organization']);
  expect(await analyzeGrown(database)).toEqual(['public.organization']);
  await locker.query('ROLLBACK');
  expect(await analyzeGrown(database)).toEqual(['public.organization']);
  expect(await analyzeGrown(database)).toEqual([]);
});
