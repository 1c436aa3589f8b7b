import type { OrganizationContext } from '@/lib/context/organization-context';
import type { Latency, MonitorStats, StatsQuery } from '@/lib/schemas/stats';
import { type ChartBuckets, chartBuckets } from './chart-buckets';
import { findMonitorNumber } from './find-monitor';
import { EMPTY_HISTOGRAM, type LatencyHistogram, mergeHistograms, quantile } from './latency-histogram';
import { readDayBars } from './read-day-bars';
import { type Measurement, readMeasurements } from './read-measurements';
import { readUptimeWindows } from './uptime';

type Sums = Omit<Measurement, 'bucket'>;

const NOTHING: Sums = { checks: 0, failures: 0, latency: EMPTY_HISTOGRAM };

/**
 * The numbers of a monitor over a window and the series that charts are drawn from, in a fixed number of queries.
 * `region` narrows checks, failures and latency; uptime and day bars are the monitor's. Throws NOT_FOUND.
 */
export async function readStats(
  ctx: OrganizationContext,
  id: string,
  { window, region }: StatsQuery,
): Promise<MonitorStats> {
  const now = ctx.clock.now();
  const buckets = chartBuckets(window, now);
  const monitor = await findMonitorNumber(ctx, id);
  const [uptimes, bars, measurements] = await Promise.all([
    readUptimeWindows(ctx.db, [id], now),
    readDayBars(ctx.db, [id], now),
    readMeasurements(ctx.db, window, { monitor, region, buckets, now }),
  ]);
  const total = measurements.reduce(addUp, NOTHING);
  const uptime = uptimes.get(id) ?? { '24h': null, '7d': null, '30d': null, '90d': null };
  return {
    window,
    region: region ?? null,
    from: buckets.from.toISOString(),
    to: now.toISOString(),
    uptimePercentage: uptime[window],
    checks: total.checks,
    failures: total.failures,
    latency: latencyOf(total.latency),
    uptime,
    buckets: listBuckets(buckets, measurements, now),
    days: bars.get(id) ?? [],
  };
}

function listBuckets(
  { from, width, count }: ChartBuckets,
  measurements: Measurement[],
  now: Date,
): MonitorStats['buckets'] {
  const byBucket = new Map<number, Sums>();
  for (const measurement of measurements) {
    byBucket.set(measurement.bucket, addUp(byBucket.get(measurement.bucket) ?? NOTHING, measurement));
  }
  return Array.from({ length: count }, (_, bucket) => {
    const { checks, failures, latency } = byBucket.get(bucket) ?? NOTHING;
    const start = from.getTime() + bucket * width;
    return {
      from: new Date(start).toISOString(),
      to: new Date(Math.min(start + width, now.getTime())).toISOString(),
      checks,
      failures,
      ...latencyOf(latency),
    };
  });
}

function addUp(sums: Sums, { checks, failures, latency }: Sums): Sums {
  return {
    checks: sums.checks + checks,
    failures: sums.failures + failures,
    latency: mergeHistograms(sums.latency, latency),
  };
}

function latencyOf(histogram: LatencyHistogram): Latency {
  const at = (p: number) => {
    const ms = quantile(histogram, p);
    return ms === null ? null : Math.round(ms);
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
