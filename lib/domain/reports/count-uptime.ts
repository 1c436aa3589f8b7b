import { applyCorrections } from '@/lib/domain/monitors/corrections/apply-corrections';
import { isKnown, type Ledger, type Period } from '@/lib/domain/monitors/history/periods';
import type { Report } from '@/lib/schemas/reports/report';
import type { ReportRange } from './report-range';

/** What a report counts, of one monitor or of all. */
export type Counted = Omit<Report['total'], 'monitors' | 'measured'>;

/** The same with what was measured; null if no correction changes it. */
export type CountedTwice = Counted & { measured: Counted | null };

/** An outage, and how long it lasted within the report. */
export type CountedOutage = { from: Date; to: Date | null; downMs: number };

/**
 * What the status periods of a monitor amount to within a report, and its outages. The periods have no gaps and can extend beyond it. What
 * lies ahead counts for the budget: a month that has begun can be down as long as a whole one.
 */
export function countUptime(
  periods: readonly Period[],
  range: ReportRange,
  target: number,
): { counted: Counted; outages: CountedOutage[] } {
  const sums = { known: 0, down: 0, degraded: 0, maintenance: 0 };
  const outages: CountedOutage[] = [];
  for (const { state, from, to } of periods) {
    const end = Math.min(to?.getTime() ?? Number.POSITIVE_INFINITY, range.until.getTime());
    const ms = end - Math.max(from.getTime(), range.from.getTime());
    if (ms <= 0) continue;
    if (isKnown(state)) sums.known += ms;
    if (state === 'degraded' || state === 'down' || state === 'maintenance') sums[state] += ms;
    if (state === 'down') outages.push({ from, to, downMs: ms });
  }
  // Paused monitors have nothing ahead.
  const isWatched = periods.some(({ state, to }) => to === null && state !== 'paused');
  const aheadMs = isWatched ? range.to.getTime() - range.until.getTime() : 0;
  const budgetMs = budgetOf(sums.known + aheadMs, target);
  return {
    outages,
    counted: {
      uptimePercentage: percentageOf(sums),
      knownMs: sums.known,
      downMs: sums.down,
      degradedMs: sums.degraded,
      maintenanceMs: sums.maintenance,
      outages: outages.length,
      longestOutageMs: longest(outages.map(({ downMs }) => downMs)),
      budgetMs,
      budgetLeftMs: budgetMs - sums.down,
    },
  };
}

/** The same with corrections over the periods, and what was measured if they change it. */
export function countCorrected(
  { measured: periods, corrections }: Ledger,
  { range, target }: { range: ReportRange; target: number },
): { counted: CountedTwice; outages: CountedOutage[] } {
  const before = countUptime(periods, range, target);
  const measured = before.counted;
  if (corrections.length === 0) return { counted: { ...measured, measured: null }, outages: before.outages };
  const { counted, outages } = countUptime(applyCorrections(periods, corrections), range, target);
  const isSame = JSON.stringify(counted) === JSON.stringify(measured);
  return { counted: { ...counted, measured: isSame ? null : measured }, outages };
}

/** The sum of lines, and that of what was measured if some are corrected. */
export function addUpCounted(lines: readonly CountedTwice[]): CountedTwice {
  const isCorrected = lines.some(({ measured }) => measured !== null);
  const measured = isCorrected ? addUp(lines.map((line) => line.measured ?? line)) : null;
  return { ...addUp(lines), measured };
}

function addUp(lines: readonly Counted[]): Counted {
  const sum = (of: (line: Counted) => number) => lines.reduce((total, line) => total + of(line), 0);
  const [knownMs, downMs] = [sum((line) => line.knownMs), sum((line) => line.downMs)];
  return {
    uptimePercentage: percentageOf({ known: knownMs, down: downMs }),
    knownMs,
    downMs,
    degradedMs: sum((line) => line.degradedMs),
    maintenanceMs: sum((line) => line.maintenanceMs),
    outages: sum((line) => line.outages),
    longestOutageMs: longest(lines.flatMap(({ longestOutageMs }) => longestOutageMs ?? [])),
    budgetMs: sum((line) => line.budgetMs),
    budgetLeftMs: sum((line) => line.budgetLeftMs),
  };
}

/** Truncated to three decimals, so that a target is never shown as met that was missed. */
function percentageOf({ known, down }: { known: number; down: number }): number | null {
  return known <= 0 ? null : Math.floor(((known - down) * 100_000) / known) / 1000;
}

/** In thousandths of a percent, because 100 - 99.9 is not 0.1. */
function budgetOf(ms: number, target: number): number {
  return Math.floor((ms * (100_000 - Math.round(target * 1000))) / 100_000);
}

function longest(times: readonly number[]): number | null {
  return times.length === 0 ? null : Math.max(...times);
}
