import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { listMonitors } from '@/lib/domain/monitors/list-monitors';
import { copyMonitor, storeChecks, writeLedger, writePeriods } from '@/lib/domain/monitors/testing/history';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import type { Prisma } from '@/lib/platform/db/generated/client';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { UPTIME_WINDOWS } from '@/lib/schemas/monitor/stats';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { BAR_DAYS, startOfBars } from './day-bars';
import { readDayBars } from './read-stats';
import { periodsWithin, readUptimes, readUptimeWindows, uptimePercentage, uptimeQuery } from './uptime';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = new Date('2026-03-10T18:00:00.000Z');
const NO_SILENCE = new Map();
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const database = useTestDatabase();
let organization: TestOrganization;

beforeAll(async () => {
  const services = createTestServices({ db: database.db, clock: createManualClock(NOW) });
  await ensureResultPartitions(database.db, NOW);
  organization = await createTestOrganization(services);
});

const addMonitor = () =>
  createMonitor(organization.ctx, createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test' }));

describe('uptime', () => {
  it('is cut, not rounded: 100 means that it was never down', () => {
    expect(uptimePercentage(30 * DAY, 1)).toBe(99.99);
    expect(uptimePercentage(3, 1)).toBe(66.66);
    expect(uptimePercentage(30 * DAY, 0)).toBe(100);
    expect(uptimePercentage(0, 0)).toBe(100);
  });

  it('is told of four windows, each of its own time alone', async () => {
    const { id } = await addMonitor();
    await writePeriods(database.db, id, [
      { state: 'down', from: ago(100 * DAY) },
      { state: 'operational', from: ago(60 * DAY) },
      { state: 'down', from: ago(6 * DAY) },
      { state: 'operational', from: ago(5 * DAY) },
      { state: 'down', from: ago(2 * HOUR) },
      { state: 'degraded', from: ago(HOUR) },
    ]);
    const uptimes = await readUptimeWindows(database.db, [id], NOW, NO_SILENCE);
    expect(uptimes.get(id)).toEqual({ '24h': 95.83, '7d': 85.11, '30d': 96.52, '90d': 65.5 });
    expect((await readUptimes(database.db, [id], NOW, NO_SILENCE)).get(id)).toBe(96.52);
  });

  it('counts paused, pending, maintenance and unknown time for neither side', async () => {
    const { id } = await addMonitor();
    await writePeriods(database.db, id, [
      { state: 'unknown', from: ago(20 * HOUR) },
      { state: 'operational', from: ago(3 * HOUR) },
      { state: 'maintenance', from: ago(2 * HOUR) },
      { state: 'down', from: ago(HOUR) },
    ]);
    expect((await readUptimeWindows(database.db, [id], NOW, NO_SILENCE)).get(id)?.['24h']).toBe(50);
  });

  it('is null over a window in which nothing is known, and 100 as the field of a monitor', async () => {
    const { id } = await addMonitor();
    await writePeriods(database.db, id, [
      { state: 'operational', from: ago(40 * DAY) },
      { state: 'paused', from: ago(35 * DAY) },
    ]);
    expect((await readUptimeWindows(database.db, [id], NOW, NO_SILENCE)).get(id)).toEqual({
      '24h': null,
      '7d': null,
      '30d': null,
      '90d': 100,
    });
    expect((await readUptimes(database.db, [id], NOW, NO_SILENCE)).get(id)).toBe(100);
  });

  it('reads the bars of many monitors together', async () => {
    const [up, down] = [await addMonitor(), await addMonitor()];
    await writePeriods(database.db, up.id, [{ state: 'operational', from: ago(HOUR) }]);
    await writePeriods(database.db, down.id, [{ state: 'down', from: ago(DAY) }]);
    const bars = await readDayBars(database.db, [up.id, down.id, 'mon_nobody'], NOW, NO_SILENCE);
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

  /** 90 days at 30 s from three regions, in a database where a thousand others have a history too. */
  beforeAll(async () => {
    const { db, url } = database;
    counting = openCountingDatabase(url);
    shop = (await addMonitor()).id;
    others = await copyMonitor(db, shop, 1000);
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

  const windowsOf = (ids: string[]) => uptimeQuery(ids, UPTIME_WINDOWS, NOW, NO_SILENCE);
  const barsOf = (ids: string[]) => periodsWithin(ids, startOfBars(NOW), NOW);

  /** How often the ledger's indexes were searched; throws when a table was read in another way, or another table. */
  async function readsOf(query: Prisma.Sql): Promise<{ indexReads: number; pages: number }> {
    const { steps, pages } = await explain(database.db, query);
    const reads = steps.filter(({ relation, index }) => relation !== null || index !== null);
    for (const { type, relation, index } of reads) {
      expect(type).toMatch(/^(Index Scan|Index Only Scan)$/);
      expect([relation, index]).toEqual(['status_period', 'status_period_monitor_id_from_at_idx']);
    }
    return { indexReads: reads.reduce((sum, { loops }) => sum + loops, 0), pages };
  }

  it('uptime of a monitor with 90 days of history at 30 s from three regions, and its bars, come from a fixed number of index reads', async () => {
    const db = database.db;
    const before = { windows: await readsOf(windowsOf([shop])), bars: await readsOf(barsOf([shop])) };
    expect(before.windows.indexReads).toBe(2);
    expect(before.bars.indexReads).toBe(2);
    expect(before.windows.pages).toBeLessThan(100);
    expect(before.bars.pages).toBeLessThan(100);

    // As many results again, and a year more of the ledger: no further read.
    const lately = { since: ago(42 * HOUR), now: NOW };
    await storeChecks(db, [shop], { ...lately, everySeconds: 30, regions: 3 });
    await db.$executeRaw`
      INSERT INTO status_period (monitor_id, state, from_at, to_at, decided_at)
      SELECT ${shop}, 'operational', at, at + interval '1 hour', at
        FROM generate_series(${ago(450 * DAY)}::timestamptz, ${ago(90 * DAY + HOUR)}::timestamptz, '1 hour') AS at`;
    await db.$executeRawUnsafe('VACUUM ANALYZE status_period');
    await db.$executeRawUnsafe('ANALYZE raw.check_result');
    const after = { windows: await readsOf(windowsOf([shop])), bars: await readsOf(barsOf([shop])) };
    expect(after.windows.indexReads).toBe(2);
    expect(after.bars.indexReads).toBe(2);
    expect(after.windows.pages).toBeLessThan(before.windows.pages + 10);
    expect(after.bars.pages).toBeLessThan(before.bars.pages + 10);

    const bars = (await readDayBars(db, [shop], NOW, NO_SILENCE)).get(shop);
    expect(bars).toHaveLength(BAR_DAYS);
    expect(bars?.slice(1).every(({ uptimePercentage }) => uptimePercentage !== null)).toBe(true);
    expect((await readUptimeWindows(db, [shop], NOW, NO_SILENCE)).get(shop)?.['90d']).toBeCloseTo(50, 1);
  });

  it('is two index reads a monitor where many are asked for, never the whole ledger', async () => {
    for (const query of [windowsOf(others.slice(0, 20)), barsOf(others.slice(0, 20))]) {
      expect((await readsOf(query)).indexReads).toBe(40);
    }
  });

  it.each([10, 1000])('is one statement for windows and one for bars, for %i monitors', async (monitors) => {
    const { db, count } = counting;
    const ids = others.slice(0, monitors);
    expect(await count(() => readUptimes(db, ids, NOW, NO_SILENCE))).toBe(1);
    expect(await count(() => readUptimeWindows(db, ids, NOW, NO_SILENCE))).toBe(1);
    expect(await count(() => readDayBars(db, ids, NOW, NO_SILENCE))).toBe(1);
  });

  it('lists a thousand monitors with as many statements as one', async () => {
    const { db, count } = counting;
    const { ctx: small } = await createTestOrganization(createTestServices(database));
    await createMonitor(small, createMonitorSchema.parse({ name: 'One', url: 'http://one.test' }));
    const forOne = await count(() => listMonitors({ ...small, db }));
    expect(await count(() => listMonitors({ ...organization.ctx, db }))).toBe(forOne);
  });
});
