import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { listMonitors } from '@/lib/domain/monitors/lists/list-monitors';
import { copyMonitor, storeChecks, writeLedger, writePeriods } from '@/lib/domain/monitors/testing/history';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { Prisma } from '@/lib/platform/db/generated/client';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { UPTIME_WINDOWS } from '@/lib/schemas/monitor/stats';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { BAR_DAYS, startOfBars } from './day-bars';
import { periodsWithin, readLedgers } from './periods';
import { barsOf, daysQuery, readDays } from './read-days';
import { readUptimesWithin, uptimePercentage, uptimeQuery, WINDOW_MS } from './uptime';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = new Date('2026-03-10T18:00:00.000Z');
const NO_SILENCE = new Map();
const READING = { now: NOW, silences: NO_SILENCE };
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const database = useTestDatabase();
let organization: TestOrganization;

beforeAll(async () => {
  const services = createTestServices({ db: database.db, clock: createManualClock(NOW) });
  await ensureResultPartitions(database.db, NOW);
  organization = await createTestOrganization(services);
});

/** The windows from `now` back. */
async function readWindows(id: string) {
  const spans = UPTIME_WINDOWS.map((window) => ({ since: ago(WINDOW_MS[window]), until: NOW }));
  const uptimes = (await readUptimesWithin(database.db, [id], spans, READING)).get(id) ?? [];
  return Object.fromEntries(UPTIME_WINDOWS.map((window, place) => [window, uptimes[place]]));
}

async function readBars(ids: string[]) {
  const days = await readDays(database.db, ids, { until: NOW });
  return new Map([...days].map(([id, own]) => [id, barsOf(own, null)]));
}

const addMonitor = () =>
  createMonitor(organization.ctx, createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test' }));

describe('uptime', () => {
  it('is truncated, not rounded: 100 means no downtime', () => {
    expect(uptimePercentage(30 * DAY, 1)).toBe(99.99);
    expect(uptimePercentage(3, 1)).toBe(66.66);
    expect(uptimePercentage(30 * DAY, 0)).toBe(100);
    expect(uptimePercentage(0, 0)).toBeNull();
  });

  it('covers four windows, each with its own time only', async () => {
    const { id } = await addMonitor();
    await writePeriods(database.db, id, [
      { state: 'down', from: ago(100 * DAY) },
      { state: 'operational', from: ago(60 * DAY) },
      { state: 'down', from: ago(6 * DAY) },
      { state: 'operational', from: ago(5 * DAY) },
      { state: 'down', from: ago(2 * HOUR) },
      { state: 'degraded', from: ago(HOUR) },
    ]);
    expect(await readWindows(id)).toEqual({ '24h': 95.83, '7d': 85.11, '30d': 96.52, '90d': 65.5 });
    expect((await getMonitor(organization.ctx, id)).uptimePercentage).toBe(96.52);
  });

  it('ignores paused, pending, maintenance and unknown time', async () => {
    const { id } = await addMonitor();
    await writePeriods(database.db, id, [
      { state: 'unknown', from: ago(20 * HOUR) },
      { state: 'operational', from: ago(3 * HOUR) },
      { state: 'maintenance', from: ago(2 * HOUR) },
      { state: 'down', from: ago(HOUR) },
    ]);
    expect((await readWindows(id))['24h']).toBe(50);
  });

  it('is null for a window without known time, and 100 as the field of a monitor', async () => {
    const { id } = await addMonitor();
    await writePeriods(database.db, id, [
      { state: 'operational', from: ago(40 * DAY) },
      { state: 'paused', from: ago(35 * DAY) },
    ]);
    expect(await readWindows(id)).toEqual({
      '24h': null,
      '7d': null,
      '30d': null,
      '90d': 100,
    });
    expect((await getMonitor(organization.ctx, id)).uptimePercentage).toBe(100);
  });

  it('reads the bars of many monitors together', async () => {
    const [up, down] = [await addMonitor(), await addMonitor()];
    await writePeriods(database.db, up.id, [{ state: 'operational', from: ago(HOUR) }]);
    await writePeriods(database.db, down.id, [{ state: 'down', from: ago(DAY) }]);
    const bars = await readBars([up.id, down.id, 'mon_unknown']);
    expect([...bars.values()].map((days) => days.length)).toEqual([90, 90, 90]);
    expect(bars.get(up.id)?.at(-1)?.status).toBe('operational');
    expect(bars.get(down.id)?.slice(-3)).toEqual([
      { date: '2026-03-08', status: null, uptimePercentage: null, downtime: 0 },
      { date: '2026-03-09', status: 'down', uptimePercentage: 0, downtime: 6 * HOUR },
      { date: '2026-03-10', status: 'down', uptimePercentage: 0, downtime: 18 * HOUR },
    ]);
  });
});

describe('the cost of history', () => {
  let shop: string;
  let others: string[];
  let counting: ReturnType<typeof openCountingDatabase>;

  /** 90 days at 30 s from three regions, in a database with the history of 200 other monitors. */
  beforeAll(async () => {
    const { db, url } = database;
    counting = openCountingDatabase(url);
    shop = (await addMonitor()).id;
    others = await copyMonitor(db, shop, 200);
    const busy = others.slice(0, 10);
    await writeLedger(db, others, { since: ago(95 * DAY), now: NOW, changes: 10 });
    await writeLedger(db, [shop, ...busy], { since: ago(90 * DAY), now: NOW, changes: 200 });
    const lately = { since: ago(42 * HOUR), now: NOW };
    await storeChecks(db, [shop], { ...lately, everySeconds: 30, regions: 3 });
    await storeChecks(db, busy, { ...lately, everySeconds: 60, regions: 1 });
    await db.$executeRawUnsafe('VACUUM ANALYZE status_period');
    await db.$executeRawUnsafe('ANALYZE');
  });
  afterAll(() => counting?.db.$disconnect());

  const month = { since: ago(30 * DAY), until: NOW };
  const bars = (version: string | null) => (ids: string[]) =>
    daysQuery(
      ids.map((id) => ({ id, version })),
      startOfBars(NOW),
      NOW,
    );
  const queries: Record<string, { reads: number; query: (ids: string[]) => Prisma.Sql }> = {
    uptime: { reads: 2, query: (ids) => uptimeQuery(ids, [month], READING) },
    bars: { reads: 3, query: bars(null) },
    periods: {
      reads: 2,
      query: (ids) => periodsWithin(Prisma.sql`SELECT unnest(${ids}::text[])`, ago(90 * DAY), NOW),
    },
  };

  /** The number of searches in indexes; throws if anything was read without one. */
  async function readsOf(query: Prisma.Sql): Promise<{ indexReads: number; pages: number }> {
    const { steps, pages } = await explain(database.db, query);
    const reads = steps.filter(({ relation, index }) => relation !== null || index !== null);
    for (const { type } of reads)
      expect(type).toMatch(/^(Index Scan|Index Only Scan|Bitmap Heap Scan|Bitmap Index Scan)$/);
    const searches = reads.filter(({ index }) => index !== null);
    return { indexReads: searches.reduce((sum, { loops }) => sum + loops, 0), pages };
  }

  it.each(Object.entries(queries))(
    'takes two or three index reads for %s, however long the history is',
    async (_, { reads, query }) => {
      const before = await readsOf(query([shop]));
      expect(before.indexReads).toBe(reads);
      expect(before.pages).toBeLessThan(100);

      await database.db.$executeRaw`
      INSERT INTO status_period (monitor_id, state, from_at, to_at, decided_at)
      SELECT ${shop}, 'operational', at, at + interval '1 hour', at
        FROM generate_series(${ago(450 * DAY)}::timestamptz, ${ago(90 * DAY + HOUR)}::timestamptz, '1 hour') AS at`;
      await database.db.$executeRawUnsafe('VACUUM ANALYZE status_period');
      const after = await readsOf(query([shop]));
      expect(after.indexReads).toBe(reads);
      expect(after.pages).toBeLessThan(before.pages + 10);
    },
  );

  it('shows bars of 90 days, half of each down', async () => {
    const bars = (await readBars([shop])).get(shop) ?? [];
    expect(bars).toHaveLength(BAR_DAYS);
    expect(bars.slice(1).every(({ uptimePercentage }) => uptimePercentage !== null)).toBe(true);
    expect((await readWindows(shop))['90d']).toBeCloseTo(50, 1);
  });

  it.each(Object.entries(queries))(
    'takes as many per monitor for %s of many monitors, never whole tables',
    async (_, { reads, query }) => {
      expect((await readsOf(query(others.slice(0, 20)))).indexReads).toBe(20 * reads);
    },
  );

  it('reads the days again only of monitors with a period that ended', async () => {
    const [id = '', other = ''] = others.slice(20);
    const read = async () => {
      const days = await readDays(database.db, [id, other], { until: NOW });
      return [days.get(id), days.get(other)];
    };
    const before = await read();
    await writePeriods(database.db, id, [
      { state: 'down', from: ago(2 * DAY) },
      { state: 'operational', from: ago(DAY) },
    ]);
    const after = await read();
    expect(after[0]?.summed.map(({ down }) => down > 0).lastIndexOf(true)).toBe(BAR_DAYS - 2);
    expect(after[0]?.summed).not.toBe(before[0]?.summed);
    expect(after[1]?.summed).toBe(before[1]?.summed);
  });

  it.each([10, 200])('is one statement each for %i monitors', async (monitors) => {
    const { db, count } = counting;
    const ids = others.slice(0, monitors);
    expect(await count(() => readUptimesWithin(db, ids, [month], READING))).toBe(1);
    expect(await count(() => readDays(db, ids, { until: NOW }))).toBe(1);
    const ninetyDays = { since: ago(90 * DAY), now: NOW, silences: NO_SILENCE };
    expect(await count(() => readLedgers(db, Prisma.sql`SELECT unnest(${ids}::text[])`, ninetyDays))).toBe(1);
  });

  it('lists 200 monitors with as many statements as one', async () => {
    const { db, count } = counting;
    const { ctx: small } = await createTestOrganization(createTestServices(database));
    await createMonitor(small, createMonitorSchema.parse({ name: 'One', url: 'http://one.test' }));
    for (const ctx of [small, organization.ctx]) {
      expect(await count(() => listMonitors({ ...ctx, db }))).toBeLessThanOrEqual(5);
    }
  });
});

it('periods that end one by one add the same to the days of their months as those that end together', async () => {
  const [alone, together] = [(await addMonitor()).id, (await addMonitor()).id];
  const state = fc.constantFrom('operational', 'degraded', 'down', 'unknown', 'maintenance');
  const length = fc.oneof(fc.integer({ min: 0, max: HOUR }), fc.integer({ min: 0, max: 40 * DAY }));
  let at = Date.UTC(2025, 11, 30, 23, 59, 59, 999);
  const periods = fc.sample(fc.tuple(state, length), { seed: 7, numRuns: 60 }).map(([own, ms]) => {
    const from = new Date(at);
    at += ms;
    return { state: own, from, to: new Date(at) };
  });
  const add = (monitorId: string, own: typeof periods) =>
    database.db.statusPeriod.createMany({
      data: own.map((each) => ({ ...each, monitorId, decidedAt: each.from })),
    });
  for (const period of periods) await add(alone, [period]);
  await add(together, periods);
  const read = (monitorId: string) =>
    database.db.uptimeMonth.findMany({
      where: { monitorId },
      omit: { monitorId: true },
      orderBy: { month: 'asc' },
    });
  const months = await read(together);
  expect(months.length).toBeGreaterThan(3);
  expect(await read(alone)).toEqual(months);
});
