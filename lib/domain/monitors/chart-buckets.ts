import type { UptimeWindow } from '@/lib/schemas/stats';

/** The stretches that a chart is drawn in: `count` of `width` milliseconds each, from `from` on. */
export type ChartBuckets = { from: Date; width: number; count: number };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const SHAPES: Record<UptimeWindow, { width: number; count: number }> = {
  '24h': { width: 15 * MINUTE, count: 96 },
  '7d': { width: 2 * HOUR, count: 84 },
  '30d': { width: 8 * HOUR, count: 90 },
  '90d': { width: 24 * HOUR, count: 90 },
};

/** The buckets of a window, on whole multiples of their width in UTC; the last one contains `now`. */
export function chartBuckets(window: UptimeWindow, now: Date): ChartBuckets {
  const { width, count } = SHAPES[window];
  const last = Math.floor(now.getTime() / width) * width;
  return { from: new Date(last - (count - 1) * width), width, count };
}
