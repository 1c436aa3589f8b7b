import { formatClock, formatDay } from '@/components/ui/format-local';
import { formatDuration } from '@/lib/core/duration';
import type { UptimeWindow } from '@/lib/schemas/stats';
import type { ChartData, MarkedState } from './chart-data';

/** How lines are told apart, by their place: by weight and dashes too, so that colour is not needed. */
const LINE_LOOKS = [
  { stroke: 'stroke-accent', fill: 'bg-accent', dash: undefined, width: 2 },
  { stroke: 'stroke-ink', fill: 'bg-ink', dash: '5 3', width: 1.25 },
  { stroke: 'stroke-muted', fill: 'bg-muted', dash: '1.5 3', width: 1.5 },
] as const;

export const WINDOW_WORDS: Record<UptimeWindow, string> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
};

const STATE_WORDS: Record<MarkedState, string> = {
  down: 'down',
  degraded: 'degraded',
  maintenance: 'in maintenance',
  paused: 'paused',
  unknown: 'unknown',
};

/** `120 ms`, from a second on `1.25 s`; a dash where nothing was measured. */
export function formatMs(ms: number | null): string {
  if (ms === null) return '–';
  return ms < 1000 ? `${ms} ms` : `${Number((ms / 1000).toFixed(2))} s`;
}

/** When a bucket was, by the clocks of a zone; a bucket of a day is a day of UTC, as everywhere. */
export function sayBucket(data: Pick<ChartData, 'from' | 'width' | 'window'>, index: number, zone: string) {
  const start = new Date(data.from + index * data.width);
  if (data.window === '90d') return `${formatDay(start, 'UTC')} (UTC)`;
  const end = new Date(start.getTime() + data.width);
  return `${formatDay(start, zone)}, ${formatClock(start, zone)} – ${formatClock(end, zone)}`;
}

/** What happened in a bucket beside response times: failures, what the ledger says, incidents; never empty. */
export function sayEvents(data: ChartData, index: number): string[] {
  const from = data.from + index * data.width;
  const to = Math.min(from + data.width, data.now);
  const checks = data.checks[index] ?? 0;
  const failures = data.failures[index] ?? 0;
  const spent = new Map<MarkedState, number>();
  for (const band of data.bands) {
    const ms = Math.min(band.to, to) - Math.max(band.from, from);
    if (ms > 0) spent.set(band.state, (spent.get(band.state) ?? 0) + ms);
  }
  return [
    checks === 0 ? 'No checks' : sayFailures(failures, checks),
    ...[...spent].map(([state, ms]) => `${STATE_WORDS[state]} for ${formatDuration(ms)}`),
    ...data.incidents
      .filter((incident) => incident.from < to && incident.to > from)
      .map(({ title }) => `incident: ${title}`),
  ];
}

/** `3 of 15 checks failed`, or how many went well. */
export function sayFailures(failures: number, checks: number): string {
  const all = `${checks} ${checks === 1 ? 'check' : 'checks'}`;
  return failures === 0 ? `${all}, none failed` : `${failures} of ${all} failed`;
}

/** The labels of the time axis: where they stand, as a share of the width, and what they say. */
export function timeTicks(data: Pick<ChartData, 'from' | 'width' | 'count' | 'window'>, zone: string) {
  return [0, 0.25, 0.5, 0.75].map((share) => {
    const at = new Date(data.from + share * data.count * data.width);
    return { share, label: data.window === '24h' ? formatClock(at, zone) : formatDay(at, zone) };
  });
}

/** The look of the line at a place. */
export function lineLook(place: number) {
  return LINE_LOOKS[place % LINE_LOOKS.length] ?? LINE_LOOKS[0];
}
