import type { Latency, MonitorStats } from '@/lib/schemas/stats';
import type { ChartBuckets } from './chart-buckets';
import { EMPTY_HISTOGRAM, type LatencyHistogram, mergeHistograms, quantile } from './latency-histogram';
import type { Measurement } from './read-measurements';

/** What was measured, added up: checks that said something of the target, those that failed, and the good ones' times. */
export type Measured = { checks: number; failures: number; latency: Latency };

type Sums = Pick<Measurement, 'checks' | 'failures' | 'latency'>;

const NOTHING: Sums = { checks: 0, failures: 0, latency: EMPTY_HISTOGRAM };

/** All measurements together, in any order. */
export function addUpMeasurements(measurements: readonly Measurement[]): Measured {
  return toMeasured(measurements.reduce<Sums>(addUp, NOTHING));
}

/** One entry a bucket of the chart, oldest first, the last one up to `now`; measurements of one bucket are merged. */
export function listBuckets(
  { from, width, count }: ChartBuckets,
  measurements: readonly Measurement[],
  now: Date,
): MonitorStats['buckets'] {
  const byBucket = new Map<number, Sums>();
  for (const measurement of measurements) {
    byBucket.set(measurement.bucket, addUp(byBucket.get(measurement.bucket) ?? NOTHING, measurement));
  }
  return Array.from({ length: count }, (_, bucket) => {
    const { checks, failures, latency } = toMeasured(byBucket.get(bucket) ?? NOTHING);
    const start = from.getTime() + bucket * width;
    return {
      from: new Date(start).toISOString(),
      to: new Date(Math.min(start + width, now.getTime())).toISOString(),
      checks,
      failures,
      ...latency,
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

function toMeasured({ checks, failures, latency }: Sums): Measured {
  return { checks, failures, latency: latencyOf(latency) };
}

function latencyOf(histogram: LatencyHistogram): Latency {
  const at = (p: number) => {
    const ms = quantile(histogram, p);
    return ms === null ? null : Math.round(ms);
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
