import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { listMonitors } from '@/lib/domain/monitors/list-monitors';
import { copyMonitor, storeChecks, writeLedger, writePeriods } from '@/lib/domain/monitors/testing/history';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import type { Prisma } from '@/lib/platform/db/generated/client';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { BAR_DAYS, dayBars, startOfBars } from './day-bars';
import { periodsWithin, readPeriods, readUptimes, uptimePercentage, uptimeQuery, uptimesOf } from './uptime';

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

const readNinetyDays = (ids: string[]) =>
  readPeriods(database.db, ids, { since: ago(90 * DAY), now: NOW, silences: NO_SILENCE });

async function readWindows(id: string) {
  return uptimesOf((await readNinetyDays([id])).get(id) ?? [], NOW);
}

async function readDayBars(id: string) {
  return dayBars((await readNinetyDays([id])).get(id) ?? [], NOW);
}

const addMonitor = () =>
  createMonitor(organization.ctx, createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test' }));

describe('uptime', () => {
  it('is truncated, not rounded: 100 means no downtime', () => {
    expect(uptimePercentage(30 * DAY, 1)).toBe(99.99);
    expect(uptimePercentage(3, 1)).toBe(66.66);
    expect(uptimePercentage(30 * DAY, 0)).toBe(100);
    expect(uptimePercentage(0, 0)).toBe(100);
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
    expect((await readUptimes(database.db, [id], NOW, NO_SILENCE)).get(id)).toBe(96.52);
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
    expect((await readUptimes(database.db, [id], NOW, NO_SILENCE)).get(id)).toBe(100);
  });

  it('reads the bars of many monitors together', async () => {
    const [up, down] = [await addMonitor(), await addMonitor()];
    await writePeriods(database.db, up.id, [{ state: 'operational', from: ago(HOUR) }]);
    await writePeriods(database.db, down.id, [{ state: 'down', from: ago(DAY) }]);
    const periods = await readNinetyDays([up.id, down.id, 'mon_unknown']);
    const bars = new Map([...periods].map(([id, own]) => [id, dayBars(own, NOW)]));
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

  /** 90 days at 30 s from three regions, in a database with the history of a thousand other monitors. */
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

  const uptimeOf = (ids: string[]) => uptimeQuery(ids, NOW, NO_SILENCE);
  const barsOf = (ids: string[]) => periodsWithin(ids, startOfBars(NOW), NOW);

  /** The number of searches in the ledger's index; throws if any other table or index was read. */
  async function readsOf(query: Prisma.Sql): Promise<{ indexReads: number; pages: number }> {
    const { steps, pages } = await explain(database.db, query);
    const reads = steps.filter(({ relation, index }) => relation !== null || index !== null);
    for (const { type, relation, index } of reads) {
      expect(type).toMatch(/^(Index Scan|Index Only Scan)$/);
      expect([relation, index]).toEqual(['status_period', 'status_period_monitor_id_from_at_idx']);
    }
    return { indexReads: reads.reduce((sum, { loops }) => sum + loops, 0), pages };
  }

  it('takes a fixed number of index reads for uptime and bars of 90 days at 30 s from three regions', async () => {
    const db = database.db;
    const before = { uptime: await readsOf(uptimeOf([shop])), bars: await readsOf(barsOf([shop])) };
    expect(before.uptime.indexReads).toBe(2);
    expect(before.bars.indexReads).toBe(2);
    expect(before.uptime.pages).toBeLessThan(100);
    expect(before.bars.pages).toBeLessThan(100);

    // Twice the results and another year of the ledger: no additional reads.
    const lately = { since: ago(42 * HOUR), now: NOW };
    await storeChecks(db, [shop], { ...lately, everySeconds: 30, regions: 3 });
    await db.$executeRaw`
      INSERT INTO status_period (monitor_id, state, from_at, to_at, decided_at)
      SELECT ${shop}, 'operational', at, at + interval '1 hour', at
        FROM generate_series(${ago(450 * DAY)}::timestamptz, ${ago(90 * DAY + HOUR)}::timestamptz, '1 hour') AS at`;
    await db.$executeRawUnsafe('VACUUM ANALYZE status_period');
    await db.$executeRawUnsafe('ANALYZE raw.check_result');
    const after = { uptime: await readsOf(uptimeOf([shop])), bars: await readsOf(barsOf([shop])) };
    expect(after.uptime.indexReads).toBe(2);
    expect(after.bars.indexReads).toBe(2);
    expect(after.uptime.pages).toBeLessThan(before.uptime.pages + 10);
    expect(after.bars.pages).toBeLessThan(before.bars.pages + 10);

    const bars = await readDayBars(shop);
    expect(bars).toHaveLength(BAR_DAYS);
    expect(bars.slice(1).every(({ uptimePercentage }) => uptimePercentage !== null)).toBe(true);
    expect((await readWindows(shop))['90d']).toBeCloseTo(50, 1);
  });

  it('takes two index reads per monitor for many monitors, never the whole ledger', async () => {
    for (const query of [uptimeOf(others.slice(0, 20)), barsOf(others.slice(0, 20))]) {
      expect((await readsOf(query)).indexReads).toBe(40);
    }
  });

  it.each([10, 1000])(
    'is one statement for uptime and one for periods, for %i monitors',
    async (monitors) => {
      const { db, count } = counting;
      const ids = others.slice(0, monitors);
      expect(await count(() => readUptimes(db, ids, NOW, NO_SILENCE))).toBe(1);
      const ninetyDays = { since: ago(90 * DAY), now: NOW, silences: NO_SILENCE };
      expect(await count(() => readPeriods(db, ids, ninetyDays))).toBe(1);
    },
  );

  it('lists a thousand monitors with as many statements as one', async () => {
    const { db, count } = counting;
    const { ctx: small } = await createTestOrganization(createTestServices(database));
    await createMonitor(small, createMonitorSchema.parse({ name: 'One', url: 'http://one.test' }));
    const forOne = await count(() => listMonitors({ ...small, db }));
    expect(await count(() => listMonitors({ ...organization.ctx, db }))).toBe(forOne);
  });
});
