import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { readStats } from '@/lib/domain/monitors/read-overview';
import { writePeriods } from '@/lib/domain/monitors/testing/history';
import { readReport } from '@/lib/domain/reports/read-report';
import { readHistoryView } from '@/lib/domain/status-pages/public/read-history-view';
import { readPublicPage } from '@/lib/domain/status-pages/public/read-public-page';
import { addPage, refusal } from '@/lib/domain/status-pages/testing/pages';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { CORRECTED_STATES } from '@/lib/schemas/monitor/correction';
import { reportQuerySchema } from '@/lib/schemas/reports/report';
import { useSharedDatabase } from '@/lib/testing/database';
import { holdBeforeCommit, untilBlocked } from '@/lib/testing/races';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { dayBars } from '../history/day-bars';
import type { CorrectedPeriod, Period } from '../history/periods';
import { uptimesOf, uptimeWithin } from '../history/uptime';
import { applyCorrections } from './apply-corrections';
import { createCorrection, deleteCorrection, listCorrections } from './change-corrections';
import { MAX_CORRECTIONS } from './read-corrected';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = new Date('2026-03-10T18:00:00.000Z');
const LEDGER_STARTS = NOW.getTime() - 80 * DAY;
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const database = useSharedDatabase();
const clock = createManualClock(NOW);
let services: ReturnType<typeof createTestServices>;
let mine: TestOrganization;
beforeAll(async () => {
  services = createTestServices({ db: database.db, clock });
  mine = await createTestOrganization(services);
});

const STATES: PeriodState[] = [
  ...(['operational', 'degraded', 'down', 'operational', 'down'] as const),
  ...(['pending', 'paused', 'maintenance', 'unknown'] as const),
];
const hours = fc.integer({ min: 0, max: 80 * 24 - 1 });
const ledgers = fc.array(fc.tuple(hours, fc.constantFrom(...STATES)), { maxLength: 20 }).map((changes) =>
  [[0, 'operational'] as const, ...changes]
    .toSorted(([a], [b]) => a - b)
    .map(([hour, state]): Period => ({ state, from: new Date(LEDGER_STARTS + hour * HOUR), to: null }))
    .map((period, place, all): Period => ({ ...period, to: all[place + 1]?.from ?? null })),
);
/** Corrections that do not overlap, some of which touch. */
const overlays = fc.uniqueArray(hours, { maxLength: 12 }).chain((found) => {
  const at = found.toSorted((a, b) => a - b);
  const spans = at.slice(1).map((to, place) => [at[place] ?? 0, to] as const);
  return fc
    .array(fc.option(fc.constantFrom(...CORRECTED_STATES)), {
      minLength: spans.length,
      maxLength: spans.length,
    })
    .map((states) =>
      spans.flatMap(([from, to], place): CorrectedPeriod[] => {
        const state = states[place];
        if (!state) return [];
        return [
          { state, from: new Date(LEDGER_STARTS + from * HOUR), to: new Date(LEDGER_STARTS + to * HOUR) },
        ];
      }),
    );
});

/** What an hour counts as: the simplest account of ledger and corrections. */
function stateAt(ledger: readonly Period[], corrections: readonly CorrectedPeriod[], at: number) {
  const isWithin = ({ from, to }: { from: Date; to: Date | null }) =>
    from.getTime() <= at && at < (to?.getTime() ?? Number.POSITIVE_INFINITY);
  return corrections.find(isWithin)?.state ?? ledger.find(isWithin)?.state;
}

async function addMonitor(
  periods: readonly Period[] = [{ state: 'operational', from: ago(80 * DAY), to: null }],
) {
  const monitor = await createMonitor(
    mine.ctx,
    createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test', enabled: false }),
  );
  await writePeriods(database.db, monitor.id, [...periods]);
  return monitor.id;
}

/** Overlaps none of the others here. */
const SECOND = { from: ago(2 * HOUR), to: ago(HOUR) };

const correct = (id: string, from: Date, to: Date, state: CorrectedPeriod['state'] = 'maintenance') =>
  createCorrection(mine.ctx, id, { from, to, state: state as 'maintenance', reason: 'The probe was wrong' });

describe('a ledger with corrections over it', () => {
  it('has the corrected state of every hour, without gaps, and otherwise its own', () => {
    fc.assert(
      fc.property(ledgers, overlays, (ledger, corrections) => {
        const corrected = applyCorrections(ledger, corrections);
        const hours = Array.from({ length: 80 * 24 }, (_, hour) => LEDGER_STARTS + hour * HOUR);
        expect(hours.map((at) => stateAt(corrected, [], at))).toEqual(
          hours.map((at) => stateAt(ledger, corrections, at)),
        );
        expect(corrected[0]?.from).toEqual(ledger[0]?.from);
        expect(corrected.at(-1)?.to).toBeNull();
        corrected.slice(1).forEach(({ from }, place) => {
          expect(corrected[place]?.to).toEqual(from);
        });
        expect(applyCorrections(ledger, [])).toEqual(ledger);
      }),
      { numRuns: 20 },
    );
  });

  it('has one outage where the ledger has parts of it', () => {
    const periods: Period[] = [
      { state: 'down', from: ago(3 * HOUR), to: ago(2 * HOUR) },
      { state: 'operational', from: ago(2 * HOUR), to: ago(HOUR) },
      { state: 'down', from: ago(HOUR), to: null },
    ];
    const correction: CorrectedPeriod = { state: 'down', from: ago(2 * HOUR), to: ago(HOUR) };
    expect(applyCorrections(periods, [correction])).toEqual([
      { state: 'down', from: ago(3 * HOUR), to: null },
    ]);
  });
});

describe('every figure', () => {
  it('is that of the ledger with its corrections, and has what was measured next to it', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, overlays, async (ledger, corrections) => {
        const id = await addMonitor(ledger);
        await database.db.ledgerCorrection.createMany({
          data: corrections.map(({ state, from, to }, place) => ({
            id: `${id}_${place}`,
            organizationId: mine.organizationId,
            monitorId: id,
            state,
            from,
            to,
            reason: 'Wrong',
            author: 'Ada',
            createdAt: NOW,
          })),
        });
        const corrected = applyCorrections(ledger, corrections);
        const month = [ago(30 * DAY), NOW] as const;
        const monitor = await getMonitor(mine.ctx, id);
        expect(monitor.uptimePercentage).toBe(uptimeWithin(corrected, ...month) ?? 100);
        const isRecent = corrections.some(({ to }) => to > ago(30 * DAY));
        const measured = isRecent ? (uptimeWithin(ledger, ...month) ?? 100) : null;
        expect(monitor.measuredUptimePercentage).toBe(measured);

        const stats = await readStats(mine.ctx, id, { window: '90d' });
        expect(stats.uptime).toEqual(uptimesOf(corrected, NOW));
        expect(stats.measured?.uptime ?? uptimesOf(ledger, NOW)).toEqual(uptimesOf(ledger, NOW));
        const bars = stats.days.map(({ measured: _measured, ...day }) => day);
        expect(bars).toEqual(dayBars(corrected, NOW));
        const before = stats.days.map(({ measured: own, ...day }) => ({ ...day, ...own }));
        expect(before).toEqual(dayBars(ledger, NOW));

        const { slug } = await addPage(mine.ctx, { published: true, monitors: [id] });
        const page = await readPublicPage(services, slug);
        expect(page.monitors[0]?.days).toEqual(stats.days.map(({ downtime: _downtime, ...day }) => day));
        const history = await readHistoryView(services, slug);
        const start = new Date('2026-03-01T00:00:00Z');
        expect(history.monitors[0]?.uptimePercentage).toBe(uptimeWithin(corrected, start, NOW));
        const { monitors } = await readReport(
          mine.ctx,
          reportQuerySchema.parse({ month: '2026-03', monitor: id }),
        );
        const floor = (percentage: number | null | undefined) =>
          typeof percentage === 'number' ? Math.floor(percentage * 100 + 1e-6) / 100 : null;
        expect(floor(monitors[0]?.uptimePercentage)).toBe(uptimeWithin(corrected, start, NOW));
        const line = monitors[0];
        expect(floor(line?.measured ? line.measured.uptimePercentage : line?.uptimePercentage)).toBe(
          uptimeWithin(ledger, start, NOW),
        );
      }),
      { numRuns: 4 },
    );
  });
});

describe('a correction', () => {
  it('is created, listed and deleted with entries in the audit log, and leaves the ledger as it is', async () => {
    const id = await addMonitor([
      { state: 'operational', from: ago(80 * DAY), to: ago(5 * HOUR) },
      { state: 'down', from: ago(5 * HOUR), to: ago(4 * HOUR) },
      { state: 'operational', from: ago(4 * HOUR), to: null },
    ]);
    const ledger = () =>
      database.db.statusPeriod.findMany({ where: { monitorId: id }, orderBy: { id: 'asc' } });
    const before = await ledger();
    const created = await correct(id, ago(5 * HOUR), ago(4 * HOUR));
    expect(created).toMatchObject({
      monitorId: id,
      state: 'maintenance',
      author: expect.any(String),
      maintenanceId: null,
    });
    expect(await listCorrections(mine.ctx, id)).toEqual([created]);
    expect(await getMonitor(mine.ctx, id)).toMatchObject({
      uptimePercentage: 100,
      measuredUptimePercentage: 99.86,
    });
    await deleteCorrection(mine.ctx, id, created.id);
    expect(await getMonitor(mine.ctx, id)).toMatchObject({
      uptimePercentage: 99.86,
      measuredUptimePercentage: null,
    });
    expect(await ledger()).toEqual(before);
    const entries = await database.db.auditEntry.findMany({
      where: { subjectId: created.id },
      orderBy: { number: 'asc' },
    });
    expect(entries.map(({ action }) => action)).toEqual(['correction.create', 'correction.delete']);
  });

  it.each([
    ['ends before it begins', ago(HOUR), ago(2 * HOUR), 'to invalid'],
    ['ends in the future', ago(HOUR), new Date(NOW.getTime() + 1), 'to invalid'],
    ['begins before the ledger', ago(81 * DAY), ago(79 * DAY), 'from invalid'],
    ['begins more than 400 days ago', ago(401 * DAY), ago(HOUR), 'from invalid'],
    ['overlaps another', ago(26 * HOUR), ago(23 * HOUR), 'from invalid'],
  ])('is refused if it %s', async (_, from, to, field) => {
    const id = await addMonitor();
    await correct(id, ago(25 * HOUR), ago(24 * HOUR));
    expect(await refusal(correct(id, from, to))).toEqual(['VALIDATION_ERROR', field]);
  });

  it('is refused for a monitor without records', async () => {
    const id = await addMonitor([]);
    await expect(correct(id, ago(2 * HOUR), ago(HOUR))).rejects.toMatchObject({
      details: [{ path: 'from', message: 'must be a time with records: Shop has none yet' }],
    });
  });

  it('may touch another, and overlaps none that is created at the same time', async () => {
    const id = await addMonitor();
    const same = await Promise.allSettled([1, 2, 3].map(() => correct(id, ago(2 * HOUR), ago(HOUR))));
    expect(same.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await correct(id, ago(3 * HOUR), ago(2 * HOUR));
    expect(await listCorrections(mine.ctx, id)).toHaveLength(2);
  });

  it('leaves its monitor marked while another one of it is deleted', async () => {
    const id = await addMonitor();
    const { id: first } = await correct(id, ago(5 * HOUR), ago(4 * HOUR));
    const second = await holdBeforeCommit(database.db, (db) =>
      createCorrection({ ...mine.ctx, db }, id, { ...SECOND, state: 'down', reason: 'Late' }),
    );
    const deletion = database.db.ledgerCorrection.deleteMany({ where: { id: first } }).then(() => {});
    await untilBlocked(database.db);
    await second.release();
    await deletion;
    const isCorrected = async () =>
      (await database.db.monitorState.findUniqueOrThrow({ where: { monitorId: id } })).isCorrected;
    expect(await isCorrected()).toBe(true);
    await database.db.ledgerCorrection.deleteMany({ where: { monitorId: id } });
    expect(await isCorrected()).toBe(false);
  });

  it('is one of at most 100 of a monitor', async () => {
    const id = await addMonitor();
    await database.db.ledgerCorrection.createMany({
      data: Array.from({ length: MAX_CORRECTIONS - 1 }, (_, index) => ({
        id: `${id}_${index}`,
        organizationId: mine.organizationId,
        monitorId: id,
        createdAt: NOW,
        state: 'down' as const,
        reason: '',
        author: '',
        from: ago((index + 2) * HOUR),
        to: ago((index + 1) * HOUR),
      })),
    });
    await correct(id, ago(200 * HOUR), ago(199 * HOUR));
    expect(await refusal(correct(id, ago(300 * HOUR), ago(299 * HOUR)))).toEqual(['VALIDATION_ERROR']);
  });

  it('is unknown to other organizations', async () => {
    const other = await createTestOrganization(services);
    const id = await addMonitor();
    const { id: correction } = await correct(id, ago(2 * HOUR), ago(HOUR));
    expect(await refusal(listCorrections(other.ctx, id))).toEqual(['NOT_FOUND']);
    expect(await refusal(deleteCorrection(other.ctx, id, correction))).toEqual(['NOT_FOUND']);
  });
});
