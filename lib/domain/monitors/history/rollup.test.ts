import fc from 'fast-check';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { clearLedger, writePeriods } from '@/lib/domain/monitors/testing/history';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { dayBars } from './day-bars';
import { switchPeriods } from './ledger';
import { readSumsAt } from './past-sums';
import { type Period, readLedgers } from './periods';
import { barsOf, readDays } from './read-days';
import { readUptimesWithin, uptimeWithin } from './uptime';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = new Date('2026-03-10T18:00:00.000Z');
const LEDGER_STARTS = new Date(NOW.getTime() - 70 * DAY);
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const database = useSharedDatabase();
let monitorId: string;
beforeAll(async () => {
  const { ctx } = await createTestOrganization(createTestServices(database));
  const monitor = createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test' });
  ({ id: monitorId } = await createMonitor(ctx, monitor));
});

const STATES: PeriodState[] = [
  ...(['operational', 'degraded', 'down', 'operational', 'down'] as const),
  ...(['pending', 'paused', 'maintenance', 'unknown'] as const),
];

/** Changes of the state, in order, some at the same moment. */
const changes = fc
  .array(
    fc.record({
      state: fc.constantFrom(...STATES),
      at: fc.oneof(
        fc.integer({ min: 0, max: 70 * DAY }),
        fc.integer({ min: 0, max: 70 }).map((day) => day * DAY),
      ),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((all) =>
    all
      .toSorted((a, b) => a.at - b.at)
      .map(({ state, at }) => ({ state, from: new Date(LEDGER_STARTS.getTime() + at) })),
  );
/** Before, within and after the ledger. */
const moments = fc
  .integer({ min: -HOUR, max: 100 * DAY })
  .map((ms) => new Date(Math.min(NOW.getTime(), NOW.getTime() - ms)));
const spans = fc
  .array(fc.tuple(moments, moments), { minLength: 1, maxLength: 4 })
  .map((pairs) => pairs.map(([a, b]) => (a < b ? { since: a, until: b } : { since: b, until: a })));
/** When data ended, if it did. */
const silence = fc.option(fc.integer({ min: 0, max: 3 * DAY }).map(ago));

type Changes = { state: PeriodState; from: Date }[];
const WRITERS: Record<string, (changes: Changes) => Promise<void>> = {
  'changes, as the engine does': async (own) => {
    await clearLedger(database.db, [monitorId]);
    for (const { state, from } of own) {
      const change = { monitorId, state, from, decidedAt: from, why: null };
      await database.db.$transaction((tx) => switchPeriods(tx, [change]));
    }
  },
  'whole histories': (own) => writePeriods(database.db, monitorId, own),
};

describe.each(Object.entries(WRITERS))('what is summed up from %s', (_, write) => {
  it('is what the ledger says, for any span and day', async () => {
    await fc.assert(
      fc.asyncProperty(changes, spans, silence, async (own, within, noDataSince) => {
        await write(own);
        const none = { silentRegions: [], lastCheckedAt: null, lastResponseTime: null };
        const silences = new Map([[monitorId, { noDataSince, ...none }]]);
        const read = await readLedgers(database.db, Prisma.sql`SELECT ${monitorId}`, {
          since: ago(100 * DAY),
          now: NOW,
          silences,
        });
        const ledger: Period[] = read.get(monitorId)?.measured ?? [];
        const uptimes = await readUptimesWithin(database.db, [monitorId], within, { now: NOW, silences });
        expect(uptimes.get(monitorId)).toEqual(
          within.map(({ since, until }) => uptimeWithin(ledger, since, until)),
        );
        const days = (await readDays(database.db, [monitorId], { until: NOW })).get(monitorId);
        expect(days && barsOf(days, noDataSince)).toEqual(dayBars(ledger, NOW));
      }),
      { numRuns: 20 },
    );
  });
});

describe('a ledger whose beginning has expired', () => {
  it('has the same uptime since then', async () => {
    await writePeriods(database.db, monitorId, [
      { state: 'down', from: ago(60 * DAY) },
      { state: 'operational', from: ago(50 * DAY) },
      { state: 'down', from: ago(20 * DAY) },
      { state: 'operational', from: ago(10 * DAY) },
    ]);
    const spans = [
      { since: ago(90 * DAY), until: NOW },
      { since: ago(30 * DAY), until: NOW },
    ];
    const read = async () => {
      const reading = { now: NOW, silences: new Map() };
      return (await readUptimesWithin(database.db, [monitorId], spans, reading)).get(monitorId);
    };
    expect(await read()).toEqual([66.66, 66.66]);
    await database.db.statusPeriod.deleteMany({ where: { monitorId, from: { lt: ago(40 * DAY) } } });
    // Ten days of downtime in the last twenty.
    expect(await read()).toEqual([50, 50]);
  });
});

describe('the sums by a moment in the past', () => {
  it('are those of the ledger as the moment moves on, and are read again only when it enters another period', async () => {
    const counting = openCountingDatabase(database.url);
    const { db, count } = counting;
    onTestFinished(() => db.$disconnect());
    await writePeriods(database.db, monitorId, [
      { state: 'operational', from: ago(40 * DAY) },
      { state: 'down', from: ago(30 * DAY) },
      { state: 'operational', from: ago(20 * DAY) },
      { state: 'down', from: ago(10 * DAY) },
    ]);
    const read = async (at: Date) => (await readSumsAt(db, [monitorId], at)).get(monitorId);
    const moments = [45, 41, 40, 35, 31, 30, 25, 20, 15, 11].map((days) => ago(days * DAY));
    const sums: unknown[] = [];
    const statements = await count(async () => {
      for (const at of moments) sums.push(await read(at));
    });
    // Twice before the ledger began, and once per period.
    expect(statements).toBe(5);
    const days = (known: number, down: number) => ({ known: known * DAY, down: down * DAY });
    expect(sums).toEqual([
      days(0, 0),
      days(0, 0),
      days(0, 0),
      days(5, 0),
      days(9, 0),
      days(10, 0),
      days(15, 5),
      days(20, 10),
      days(25, 10),
      days(29, 10),
    ]);
  });
});
