import type { MonitorView } from '@/lib/schemas/monitor/monitor-view';
import { CHART_WINDOWS, type ChartWindow } from '@/lib/schemas/monitor/stats';
import { type Span, WINDOW_MS } from './uptime';

/** What a chart covers: a window that ends now, or a part of the past. */
export type ChartRange = ChartWindow | Span;

/** The buckets of a chart: `count` of `width` milliseconds each, starting at `from`; what is read ends at `until`. */
export type ChartBuckets = { from: Date; width: number; count: number; until: Date };

const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** More could not be distinguished on a phone. */
const MAX_BUCKETS = 120;
/** All divide a day, or are days: buckets start at multiples of them in UTC. */
const WIDTHS = [1, 2, 3, 5, 10, 15, 30, 60, 120, 240, 480, 1440].map((minutes) => minutes * MINUTE);

/** Raw results are kept this long by default; older charts are drawn from rollups, which are hourly. */
const RAW_MS = 30 * DAY;

const MIN_SPAN_MS = MINUTE;
/** A fitting window is longer than the outage by this factor. */
const SHOWN_BEFORE = 1.25;

/** Whether a chart is drawn from individual results, instead of from hourly rollups. */
export function isRaw({ width }: Pick<ChartBuckets, 'width'>): boolean {
  return width < HOUR;
}

/**
 * The buckets of a range, at most 120, as narrow as they can be, but with a check of each region in every one: no bucket is narrower than
 * `interval` (seconds). The last one of a window contains `now`.
 */
export function chartBuckets(range: ChartRange, now: Date, interval = 0): ChartBuckets {
  const span = spanOf(range, now);
  const length = span.until.getTime() - span.since.getTime();
  const least = Math.max(interval * 1000, now.getTime() - span.since.getTime() > RAW_MS ? HOUR : 0);
  const width = WIDTHS.find((each) => each >= least && length / each <= MAX_BUCKETS) ?? DAY;
  const align = (at: number) => Math.floor(at / width) * width;
  const last = align(span.until.getTime() - (range === span ? 1 : 0));
  const from = range === span ? align(span.since.getTime()) : last - (Math.ceil(length / width) - 1) * width;
  const until = Math.min(last + width, now.getTime());
  return { from: new Date(from), width, count: (last - from) / width + 1, until: new Date(until) };
}

/** The time that a range covers. */
export function spanOf(range: ChartRange, now: Date): Span {
  if (typeof range !== 'string') return range;
  return { since: new Date(now.getTime() - WINDOW_MS[range]), until: now };
}

/**
 * What the charts of a monitor's page cover: what the URL says; without it, the shortest window that shows an outage that has lasted
 * since `problemSince` with some time before it, or else 24 hours. A part of the future, or of nothing, is ignored.
 */
export function chooseRange(
  { window, from, to }: Pick<MonitorView, 'window' | 'from' | 'to'>,
  problemSince: Date | null,
  now: Date,
): { range: ChartRange; isFitted: boolean } {
  const [since, until] = [Date.parse(from ?? ''), Math.min(Date.parse(to ?? ''), now.getTime())];
  const length = until - since;
  if (length >= MIN_SPAN_MS && length <= WINDOW_MS['90d']) {
    return { range: { since: new Date(since), until: new Date(until) }, isFitted: false };
  }
  if (window !== undefined) return { range: window, isFitted: false };
  if (problemSince === null) return { range: '24h', isFitted: false };
  const lasted = now.getTime() - problemSince.getTime();
  const fitting = CHART_WINDOWS.find((each) => WINDOW_MS[each] >= SHOWN_BEFORE * lasted);
  return { range: fitting ?? '90d', isFitted: true };
}
