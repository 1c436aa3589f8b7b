import { formatClock, formatDay } from '@/components/ui/time/format-local';
import { formatElapsed } from '@/lib/core/time/duration';
import type { ChartData, MarkedState } from './chart-data';

/** Lines differ in weight and dashes too, so they can be distinguished without color. */
const LINE_STYLES = [
  { stroke: 'stroke-accent', fill: 'bg-accent', dash: undefined, width: 2 },
  { stroke: 'stroke-ink', fill: 'bg-ink', dash: '5 3', width: 1.25 },
  { stroke: 'stroke-muted', fill: 'bg-muted', dash: '1.5 3', width: 1.5 },
] as const;

const STATE_LABELS: Record<MarkedState, string> = {
  down: 'down',
  degraded: 'degraded',
  maintenance: 'in maintenance',
  paused: 'paused',
  unknown: 'unknown',
};

type Buckets = Pick<ChartData, 'from' | 'width' | 'count'>;

const DAY = 86_400_000;

/** The time range of a bucket in a time zone. Day buckets are UTC days. */
export function formatBucket(data: Buckets, index: number, zone: string): string {
  const start = new Date(data.from + index * data.width);
  if (data.width === DAY) return `${formatDay(start, 'UTC')} (UTC)`;
  return formatSpan(start, new Date(start.getTime() + data.width), zone);
}

/** `Mar 10, 23:15 – 23:30`, with both days if they differ and it is longer than a day. */
export function formatSpan(start: Date, end: Date, zone: string): string {
  const isLong = end.getTime() - start.getTime() >= DAY;
  const endDay = isLong ? `${formatDay(end, zone)}, ` : '';
  return `${formatDay(start, zone)}, ${formatClock(start, zone)} – ${endDay}${formatClock(end, zone)}`;
}

/** Failures, ledger states, deploys and incidents of a bucket; never empty. */
export function formatEvents(data: ChartData, index: number): string[] {
  const from = data.from + index * data.width;
  const to = Math.min(from + data.width, data.end);
  const checks = data.checks[index] ?? 0;
  const failures = data.failures[index] ?? 0;
  const spent = new Map<MarkedState, number>();
  for (const band of data.bands) {
    const ms = Math.min(band.to, to) - Math.max(band.from, from);
    if (ms > 0) spent.set(band.state, (spent.get(band.state) ?? 0) + ms);
  }
  return [
    checks === 0 ? 'No checks' : formatFailures(failures, checks),
    ...[...spent].map(([state, ms]) => `${STATE_LABELS[state]} for ${formatElapsed(ms)}`),
    ...data.markers.filter(({ at }) => at >= from && at < to).map(({ title }) => `deploy: ${title}`),
    ...data.incidents
      .filter((incident) => incident.from < to && incident.to > from)
      .map(({ title }) => `incident: ${title}`),
  ];
}

/** `3 of 1,500 checks failed`, or `15 checks, none failed`. */
export function formatFailures(failures: number, checks: number): string {
  const all = `${checks.toLocaleString('en')} ${checks === 1 ? 'check' : 'checks'}`;
  return failures === 0 ? `${all}, none failed` : `${failures.toLocaleString('en')} of ${all} failed`;
}

/** Time axis labels with their position as a share of the width. */
export function formatTimeTicks(data: Buckets, zone: string) {
  const isShort = data.count * data.width <= 2 * DAY;
  return [0, 0.25, 0.5, 0.75].map((share) => {
    const at = new Date(data.from + share * data.count * data.width);
    return { share, label: isShort ? formatClock(at, zone) : formatDay(at, zone) };
  });
}

/** The style of the nth line. */
export function lineStyle(index: number) {
  return LINE_STYLES[index % LINE_STYLES.length] ?? LINE_STYLES[0];
}
