import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alertDelay } from '@/lib/checks/alert-delay';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { rollUp } from '@/lib/engine/upkeep/roll-up';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { createMonitor } from '../create-monitor';
import { getMonitor } from '../find-monitor';
import { copyMonitor, storeChecks, writeLedger } from '../testing/history';
import { listOverviews } from './list-overviews';

const HOUR = 3_600_000;
const database = useTestDatabase();
/** The time in these tests: halfway through an hour, yesterday. */
const NOW = new Date(Math.floor(Date.now() / HOUR) * HOUR - 20 * HOUR + HOUR / 2);
let counting: ReturnType<typeof openCountingDatabase>;

beforeAll(async () => {
  // Checks of the day before yesterday, too, just after midnight.
  await ensureResultPartitions(database.db, NOW, 2);
  counting = openCountingDatabase(database.url);
});
afterAll(() => counting.db.$disconnect());

const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * HOUR);

async function begin(now = NOW) {
  const services = createTestServices({ db: database.db, clock: { now: () => now } });
  const { ctx } = await createTestOrganization(services);
  const add = (fields: object = {}) =>
    createMonitor(ctx, createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test/', ...fields }));
  const overview = async (id: string) => (await listOverviews(ctx)).find((each) => each.id === id);
  return { ctx, add, overview };
}

/** Stores successful checks that took 1, 2, … `count` milliseconds, one per second from `from` on. */
async function storeTimes(id: string, { from, count }: { from: Date; count: number }) {
  await database.db.$executeRaw`
    INSERT INTO raw.check_result (checked_at, monitor, response_time, region, outcome, status_code)
    SELECT ${from}::timestamptz + interval '1 second' * n, number, n, 1, 0, 200
      FROM monitor, generate_series(1, ${count}::int) AS n WHERE id = ${id}`;
}

describe('the overview of a monitor', () => {
  it('contains what its row shows, without secrets', async () => {
    const { ctx, add, overview } = await begin();
    const { id } = await add({
      name: 'Mail',
      type: 'tcp',
      url: 'mail.test:25',
      tags: ['mail'],
      headers: { 'X-Token': 't0ken' },
      regions: ['eu-west', 'us-east'],
    });
    await writeLedger(ctx.db, [id], { since: hoursAgo(4), now: NOW, changes: 4 });
    expect(await overview(id)).toEqual({
      id,
      name: 'Mail',
      type: 'tcp',
      url: 'mail.test:25',
      tags: ['mail'],
      alertsAfter: 120,
      regions: ['eu-west', 'us-east'],
      enabled: true,
      maintenance: false,
      status: 'pending',
      lastCheckedAt: null,
      noDataSince: null,
      uptimePercentage: 50,
      changedAt: hoursAgo(1).getTime() / 1000,
      p95: null,
      youngSince: NOW.getTime() / 1000,
    });
  });

  it('has no uptime before its first check, where the API returns 100', async () => {
    const { ctx, add, overview } = await begin();
    const { id, uptimePercentage } = await add();
    expect((await overview(id))?.uptimePercentage).toBeNull();
    expect([uptimePercentage, (await getMonitor(ctx, id)).uptimePercentage]).toEqual([100, 100]);
  });

  it('says since when its uptime counts, unless that is the whole window', async () => {
    const { add, overview } = await begin();
    const [old, young] = [await add(), await add()];
    const createdAt = hoursAgo(24 * 30 + 1);
    await database.db.monitor.update({ where: { id: old.id }, data: { createdAt } });
    expect(await overview(young.id)).toMatchObject({ youngSince: NOW.getTime() / 1000 });
    expect(await overview(old.id)).not.toHaveProperty('youngSince');
  });

  it('has the time to the alert that the pages of monitors show', async () => {
    const { add, overview } = await begin();
    for (const timing of [
      { interval: 60, timeout: 30, alertThreshold: 3, confirmInterval: null },
      { interval: 60, timeout: 30, alertThreshold: 3, confirmInterval: 10 },
      { interval: 30, timeout: 5, alertThreshold: 10, confirmInterval: 30 },
      { interval: 300, timeout: 30, alertThreshold: 1, confirmInterval: null },
    ] as const) {
      const { id } = await add(timing);
      expect((await overview(id))?.alertsAfter).toBe(alertDelay(timing).usual);
    }
  });

  it('is visible to its own organization only', async () => {
    const [mine, other] = [await begin(), await begin()];
    const { id } = await mine.add();
    expect(await mine.overview(id)).toBeDefined();
    expect(await other.overview(id)).toBeUndefined();
  });

  it('has the p95 of a day, from its rollups or, before the first rollup, its checks', async () => {
    const { ctx, add, overview } = await begin();
    const { id } = await add();
    await storeTimes(id, { from: hoursAgo(0.4), count: 20 });
    expect((await overview(id))?.p95).toBe(19);

    const old = await add();
    await ctx.db.monitor.update({ where: { id: old.id }, data: { createdAt: hoursAgo(30) } });
    await storeTimes(old.id, { from: hoursAgo(2), count: 1000 });
    // The first is too old to count, the second too recent to be rolled up.
    await storeTimes(old.id, { from: hoursAgo(26), count: 3000 });
    await storeTimes(old.id, { from: hoursAgo(0.1), count: 300 });
    while ((await rollUp(ctx)) > 0);
    const p95 = (await overview(old.id))?.p95 ?? 0;
    expect(p95).toBeGreaterThan(950 / 1.05);
    expect(p95).toBeLessThan(950 * 1.05);
    expect((await overview(id))?.p95).toBe(19);
  });
});

it('a thousand monitors take as many statements as ten', async () => {
  const [small, large] = [await begin(), await begin()];
  for (const [{ ctx, add }, count] of [
    [small, 10],
    [large, 1000],
  ] as const) {
    const ids = await copyMonitor(ctx.db, (await add()).id, count - 1);
    await storeChecks(ctx.db, ids, { since: hoursAgo(1), now: NOW, everySeconds: 600, regions: 1 });
  }
  const statements = async (ctx: typeof small.ctx, expected: number) => {
    const read = () => listOverviews({ ...ctx, db: counting.db });
    expect(await read()).toHaveLength(expected);
    return counting.count(read);
  };
  const few = await statements(small.ctx, 10);
  expect(await statements(large.ctx, 1000)).toBe(few);
  expect(few).toBeLessThanOrEqual(5);
});
