import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { copyMonitor, storeChecks, writePeriods } from '@/lib/domain/monitors/testing/history';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { rollUp } from '@/lib/engine/upkeep/roll-up';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { CHART_WINDOWS, statsQuerySchema, statsSchema } from '@/lib/schemas/monitor/stats';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { readStats } from './read-overview';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = new Date('2026-03-10T18:07:00.000Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const database = useTestDatabase();
const clock = createManualClock(NOW);
let mine: TestOrganization;
let shop: string;

const query = (fields: Record<string, string> = {}) => statsQuerySchema.parse(fields);

/** Ten days at ten minutes from two regions, rolled up except for the last hours; down for an hour today. */
beforeAll(async () => {
  const { db } = database;
  const services = createTestServices({ db, clock });
  for (const day of [10, 2]) await ensureResultPartitions(db, ago(day * DAY));
  mine = await createTestOrganization(services);
  shop = (await createMonitor(mine.ctx, createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test' })))
    .id;
  const others = await copyMonitor(db, shop, 1);
  await storeChecks(db, [shop, ...others], {
    since: ago(10 * DAY),
    now: NOW,
    everySeconds: 600,
    regions: 2,
  });
  await db.$executeRaw`
    UPDATE raw.check_result SET outcome = 1, response_time = NULL
     WHERE monitor = (SELECT number FROM monitor WHERE id = ${shop}) AND region = 2
       AND checked_at >= ${ago(3 * HOUR)} AND checked_at < ${ago(2 * HOUR)}`;
  await writePeriods(db, shop, [
    { state: 'operational', from: ago(10 * DAY) },
    { state: 'down', from: ago(3 * HOUR) },
    { state: 'operational', from: ago(2 * HOUR) },
  ]);
  clock.set(ago(5 * HOUR));
  while ((await rollUp({ db, clock })) > 0);
  clock.set(NOW);
});

describe('the statistics of a monitor', () => {
  it('fit their schema, for every window', async () => {
    for (const window of CHART_WINDOWS) {
      const stats = await readStats(mine.ctx, shop, query({ window }));
      expect(statsSchema.parse(stats)).toEqual(stats);
      expect([stats.window, stats.to, stats.days.length]).toEqual([window, NOW.toISOString(), 90]);
      expect(stats.buckets[0]?.from).toBe(stats.from);
      expect(stats.buckets.at(-1)?.to).toBe(stats.to);
      for (const [index, bucket] of stats.buckets.slice(1).entries()) {
        expect(stats.buckets[index]?.to).toBe(bucket.from);
      }
    }
  });

  it.each([
    ['1h', 60, '2026-03-10T17:08:00.000Z'],
    ['6h', 120, '2026-03-10T12:09:00.000Z'],
    ['24h', 96, '2026-03-09T18:15:00.000Z'],
    ['7d', 84, '2026-03-03T20:00:00.000Z'],
    ['30d', 90, '2026-02-09T00:00:00.000Z'],
    ['90d', 90, '2025-12-11T00:00:00.000Z'],
  ])('come in equal buckets: %s in %i', async (window, count, from) => {
    const stats = await readStats(mine.ctx, shop, query({ window }));
    expect(stats.buckets).toHaveLength(count);
    expect(stats.from).toBe(from);
  });

  it('count every result of the window once, whether it is rolled up yet or not', async () => {
    for (const window of ['24h', '7d', '30d'] as const) {
      const { from, checks, failures, buckets, latency } = await readStats(mine.ctx, shop, query({ window }));
      const [stored] = await database.db.$queryRaw<{ checks: number; failures: number; p95: number }[]>`
        SELECT count(*)::int AS checks, count(*) FILTER (WHERE outcome = 1)::int AS failures,
               percentile_disc(0.95) WITHIN GROUP (ORDER BY response_time) AS p95
          FROM raw.check_result
         WHERE monitor = (SELECT number FROM monitor WHERE id = ${shop})
           AND checked_at >= ${new Date(from)} AND checked_at <= ${NOW}`;
      expect({ checks, failures }).toEqual({ checks: stored?.checks, failures: 6 });
      expect(buckets.reduce((sum, bucket) => sum + bucket.checks, 0)).toBe(checks);
      expect(buckets.reduce((sum, bucket) => sum + bucket.failures, 0)).toBe(6);
      const exact = stored?.p95 ?? Number.NaN;
      expect(Math.abs((latency.p95 ?? Number.NaN) - exact)).toBeLessThanOrEqual(exact * 0.045 + 0.5);
    }
  });

  it('are narrowed to a region, but for the uptime, which is of the monitor', async () => {
    const east = await readStats(mine.ctx, shop, query({ window: '7d', region: 'us-east' }));
    const west = await readStats(mine.ctx, shop, query({ window: '7d', region: 'eu-west' }));
    const both = await readStats(mine.ctx, shop, query({ window: '7d' }));
    expect([east.region, east.failures, west.failures]).toEqual(['us-east', 0, 6]);
    expect(east.checks + west.checks).toBe(both.checks);
    expect(east.uptime).toEqual(both.uptime);
    expect(both.uptime).toEqual({ '24h': 95.83, '7d': 99.4, '30d': 99.58, '90d': 99.58 });
    expect(both.uptimePercentage).toBe(99.4);
    expect(both.days.at(-1)).toMatchObject({ date: '2026-03-10', status: 'down', downtime: HOUR });
  });

  it('of a new monitor are empty, and nothing is called known', async () => {
    const { id } = await createMonitor(
      mine.ctx,
      createMonitorSchema.parse({ name: 'New', url: 'http://new.test' }),
    );
    const stats = await readStats(mine.ctx, id, query({ window: '90d' }));
    expect(stats).toMatchObject({
      uptimePercentage: null,
      checks: 0,
      failures: 0,
      latency: { p50: null, p95: null, p99: null },
    });
    expect(stats.days.every(({ status }) => status === null)).toBe(true);
  });

  it("throw NOT_FOUND for another organization's monitor", async () => {
    const other = await createTestOrganization(createTestServices(database));
    await expect(readStats(other.ctx, shop, query())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the cost of statistics', () => {
  let counting: ReturnType<typeof openCountingDatabase>;
  beforeAll(() => {
    counting = openCountingDatabase(database.url);
  });
  afterAll(() => counting.db.$disconnect());

  it.each(CHART_WINDOWS)('is three statements: %s', async (window) => {
    const ctx = { ...mine.ctx, db: counting.db };
    expect(await counting.count(() => readStats(ctx, shop, query({ window })))).toBe(3);
  });
});
