import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { rollUp } from '@/lib/engine/upkeep/roll-up';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { CHART_WINDOWS, statsQuerySchema } from '@/lib/schemas/monitor/stats';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { createMonitor } from './create-monitor';
import { type Overview, readOverview, readStats, type Series } from './read-overview';
import { storeChecks, writePeriods } from './testing/history';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = new Date('2026-03-10T18:07:00.000Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const database = useTestDatabase();
const clock = createManualClock(NOW);
let mine: TestOrganization;
let shop: string;

/**
 * Two days at two minutes from two regions, rolled up except for the last hours; one region saw only failures for an
 * hour.
 */
beforeAll(async () => {
  const { db } = database;
  for (const day of [2, 1]) await ensureResultPartitions(db, ago(day * DAY));
  mine = await createTestOrganization(createTestServices({ db, clock }));
  const input = createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test' });
  shop = (await createMonitor(mine.ctx, input)).id;
  await storeChecks(db, [shop], { since: ago(2 * DAY), now: NOW, everySeconds: 120, regions: 2 });
  await db.$executeRaw`
    UPDATE raw.check_result SET outcome = 1, response_time = NULL
     WHERE region = 2 AND checked_at >= ${ago(3 * HOUR)} AND checked_at < ${ago(2 * HOUR)}`;
  await writePeriods(db, shop, [
    { state: 'operational', from: ago(100 * DAY) },
    { state: 'down', from: ago(3 * HOUR) },
    { state: 'operational', from: ago(2 * HOUR) },
  ]);
  clock.set(ago(5 * HOUR));
  while ((await rollUp({ db, clock })) > 0);
  clock.set(NOW);
});

const own = () => ({ id: shop, noDataSince: null, interval: 60 as const });

/** The buckets with their times, as the chart computes them. */
function withTimes({ from, to, width }: Overview, { buckets, ...series }: Series) {
  return {
    ...series,
    buckets: buckets.map((sums, place) => {
      const start = from.getTime() + place * width;
      const end = Math.min(start + width, to.getTime());
      return { from: new Date(start).toISOString(), to: new Date(end).toISOString(), ...sums };
    }),
  };
}

describe('the overview of a monitor', () => {
  it.each(CHART_WINDOWS)('matches the statistics of the API for all regions: %s', async (window) => {
    const overview = await readOverview(mine.ctx, own(), window);
    const stats = await readStats(mine.ctx, shop, statsQuerySchema.parse({ window }));
    const { checks, failures, latency, buckets, uptime, days } = stats;
    expect(withTimes(overview, overview.together)).toEqual({ checks, failures, latency, buckets });
    expect(overview).toMatchObject({ uptime, days });
  });

  it.each(CHART_WINDOWS)('matches the statistics of the API for each region: %s', async (window) => {
    const overview = await readOverview(mine.ctx, own(), window);
    const { regions } = overview;
    expect(regions.map(({ region }) => region)).toEqual(['us-east', 'eu-west']);
    for (const { region, addUp } of regions) {
      const stats = await readStats(mine.ctx, shop, statsQuerySchema.parse({ window, region }));
      const { checks, failures, latency, buckets } = stats;
      expect(withTimes(overview, addUp())).toEqual({ checks, failures, latency, buckets });
    }
  });

  it('contains the periods of the window, oldest first', async () => {
    const { periods } = await readOverview(mine.ctx, own(), '24h');
    expect(periods).toEqual([
      { state: 'operational', from: ago(100 * DAY), to: ago(3 * HOUR) },
      { state: 'down', from: ago(3 * HOUR), to: ago(2 * HOUR) },
      { state: 'operational', from: ago(2 * HOUR), to: null },
    ]);
  });

  it('marks when checks failed, per region, as long as there are individual results', async () => {
    const { marks } = await readOverview(mine.ctx, own(), '6h');
    expect(marks?.every(({ region }) => region === 'eu-west')).toBe(true);
    expect(marks?.reduce((sum, { failures }) => sum + failures, 0)).toBe(30);
    expect(marks?.[0]?.at).toEqual(ago(3 * HOUR));
    expect((await readOverview(mine.ctx, own(), '1h')).marks).toEqual([]);
    expect((await readOverview(mine.ctx, own(), '7d')).marks).toBeNull();
  });

  it('covers any part of the past, and nothing after it', async () => {
    const range = { since: ago(3 * HOUR), until: ago(2.5 * HOUR) };
    const { from, to, width, together, periods, window } = await readOverview(mine.ctx, own(), range);
    expect({ from, to, width, window }).toEqual({
      from: range.since,
      to: range.until,
      width: 60_000,
      window: null,
    });
    expect([together.buckets.length, together.checks, together.failures]).toEqual([30, 30, 15]);
    expect(periods.map(({ state }) => state)).toEqual(['down']);
  });

  it("throws NOT_FOUND for another organization's monitor", async () => {
    const other = await createTestOrganization(createTestServices(database));
    await expect(readOverview(other.ctx, own(), '24h')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('the cost of the overview', () => {
  let counting: ReturnType<typeof openCountingDatabase>;
  beforeAll(() => {
    counting = openCountingDatabase(database.url);
  });
  afterAll(() => counting.db.$disconnect());

  it.each(CHART_WINDOWS)('takes two statements, and one more where checks failed: %s', async (window) => {
    const ctx = { ...mine.ctx, db: counting.db };
    const marked = window === '6h' || window === '24h';
    expect(await counting.count(() => readOverview(ctx, own(), window))).toBe(marked ? 3 : 2);
  });
});
