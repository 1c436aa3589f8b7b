import { expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { quiet, START, startDriver } from '../embedded/testing/harness';
import { appStarted } from '../events';
import { createMaintain } from './maintain';

const workerStarted = appStarted('test');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const database = useTestDatabase();
const broken = useTestDatabase();

async function listDays(): Promise<string[]> {
  const rows = await database.db.$queryRaw<{ day: string }[]>`
    SELECT right(tablename, 8) AS day FROM pg_tables WHERE schemaname = 'raw' AND tablename LIKE 'check\\_result\\_%'`;
  return rows.map(({ day }) => day).sort();
}

it('creates partitions ahead every minute; once an hour has closed, rolls it up and drops expired data', async () => {
  const { db } = database;
  await ensureResultPartitions(db, new Date(START.getTime() - 40 * DAY));
  await db.$executeRaw`INSERT INTO raw.rollup_progress (rolled_until) VALUES (${new Date(START.getTime() - HOUR)})`;
  const clock = createManualClock(START);
  const services = createTestServices({ db, clock });
  const { driver, log } = startDriver((client) => createMaintain(client, services, workerStarted));
  const maintain = async () => {
    await driver.client.send(workerStarted.create({}));
    await quiet(driver);
  };
  const rolledUntil = () => db.$queryRaw`SELECT rolled_until FROM raw.rollup_progress`;

  await maintain();
  expect((await listDays()).at(-1)).toBe('20261127');
  expect((await listDays())[0]).toBe('20261010');

  clock.advance(2 * 60_000);
  await maintain();
  expect(await rolledUntil()).toEqual([{ rolled_until: new Date('2026-11-20T10:00:00.000Z') }]);
  expect((await listDays())[0]).toBe('20261119');
  expect(log.error).not.toHaveBeenCalled();
});

it('a failing step blocks no other, and is reported', async () => {
  const { db } = broken;
  const clock = createManualClock(START);
  await db.$executeRaw`INSERT INTO raw.rollup_progress (rolled_until) VALUES (${new Date(START.getTime() - HOUR)})`;
  await db.$executeRaw`
    CREATE TABLE raw.in_the_way PARTITION OF raw.check_result FOR VALUES FROM ('2026-11-25') TO ('2026-11-26')`;
  clock.advance(2 * 60_000);
  const services = createTestServices({ db, clock });
  const { driver, log } = startDriver((client) => createMaintain(client, services, workerStarted));
  await driver.client.send(workerStarted.create({}));
  await quiet(driver);
  expect(log.error).toHaveBeenCalledOnce();
  const [progress] = await db.$queryRaw<
    { until: Date }[]
  >`SELECT rolled_until AS until FROM raw.rollup_progress`;
  expect(progress?.until).toEqual(new Date('2026-11-20T10:00:00.000Z'));
});
