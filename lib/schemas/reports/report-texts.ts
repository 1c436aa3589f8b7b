import { formatPercent } from '@/lib/core/formats/percent';
import { capitalize } from '@/lib/core/text';
import { dateFormat } from '@/lib/core/time/date-format';
import { formatElapsed, formatTiming } from '@/lib/core/time/duration';
import type { Report, ReportLine, ReportQuery } from './report';

/** `99.987%`: three decimals, except for `100%`; a dash if unknown. */
export function formatUptime(percentage: number | null): string {
  return formatPercent(percentage, 3);
}

/** A length of time for a table: a dash for none, below a minute with its seconds. */
export function formatLength(ms: number | null): string {
  if (ms === null || ms === 0) return '–';
  return ms < 60_000 ? formatTiming(ms) : formatElapsed(ms);
}

/** What is left of an error budget, or how much more than it was used: `31m left`, `2h 5m over`. */
export function formatBudget(leftMs: number): string {
  if (leftMs === 0) return 'used up';
  return leftMs > 0 ? `${formatElapsed(leftMs)} left` : `${formatElapsed(-leftMs)} over`;
}

/** `Oct 1, 2026 – Oct 31, 2026, Europe/Berlin`, or that what is counted ends before. */
export function formatRange({
  from,
  to,
  until,
  timeZone,
}: Pick<Report, 'from' | 'to' | 'until' | 'timeZone'>) {
  const day = (at: number) => dateFormat('en', { dateStyle: 'medium', timeZone }).format(at);
  const [first, last] = [day(Date.parse(from)), day(Date.parse(to) - 1)];
  const days = first === last ? first : `${first} – ${last}`;
  const now = until === to ? '' : `, until ${formatAt(until, timeZone)}`;
  return `${days}${now}, ${timeZone}`;
}

/** `Oct 3, 14:02`: a moment of the report in its time zone. */
export function formatAt(at: string, timeZone: string): string {
  const options = {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  } as const;
  return dateFormat('en', { ...options, timeZone }).format(new Date(at));
}

/** Months to choose from, the current one first: `2026-11` as `November 2026, so far`. */
export function listMonths(now: Date, count: number): { value: string; label: string }[] {
  return Array.from({ length: count }, (_, back) => {
    const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back);
    const name = dateFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(first);
    return { value: new Date(first).toISOString().slice(0, 7), label: back === 0 ? `${name}, so far` : name };
  });
}

/** Whether a line misses its target; null if nothing is known. */
export function isMissed({
  knownMs,
  budgetLeftMs,
}: Pick<ReportLine, 'knownMs' | 'budgetLeftMs'>): boolean | null {
  return knownMs === 0 ? null : budgetLeftMs < 0;
}

type Coverage = Pick<ReportQuery, 'tag' | 'statusPage' | 'timeZone' | 'target'>;

/** What a monthly report covers: `All monitors, UTC, target 99.9%`, `Acme, tag shop, Europe/Berlin, target 99.95%`. */
export function formatCoverage(
  { tag, statusPage, timeZone, target }: Coverage,
  pageName: string | null,
): string {
  const monitors = [
    ...(statusPage === undefined ? [] : [pageName ?? 'A deleted status page']),
    ...(tag === undefined ? [] : [`tag ${tag}`]),
  ];
  const covered = monitors.length > 0 ? capitalize(monitors.join(', ')) : 'All monitors';
  return `${covered}, ${timeZone}, target ${target}%`;
}
