import type { Latency, MonitorStats } from '@/lib/schemas/stats';
import type { ChartBuckets } from './chart-buckets';
import { type LatencyHistogram, quantile } from './latency-histogram';
import type { Measurement } from './read-measurements';

/** What was measured, added up: checks that said something of the target, those that failed, and the good ones' times. */
export type Measured = { checks: number; failures: number; latency: Latency };

/** All measurements together, in any order. */
export function addUpMeasurements(measurements: readonly Measurement[]): Measured {
  let [checks, failures] = [0, 0];
  // One map for all: merging two by two would copy what grows once a measurement.
  const latency = new Map<number, number>();
  for (const measurement of measurements) {
    checks += measurement.checks;
    failures += measurement.failures;
    for (const [bucket, count] of measurement.latency)
      latency.set(bucket, (latency.get(bucket) ?? 0) + count);
  }
  return { checks, failures, latency: latencyOf(latency) };
}

/** One entry a bucket of the chart, oldest first, the last one up to `now`; measurements of one bucket are merged. */
export function listBuckets(
  { from, width, count }: ChartBuckets,
  measurements: readonly Measurement[],
  now: Date,
): MonitorStats['buckets'] {
  const byBucket = Array.from({ length: count }, (): Measurement[] => []);
  for (const measurement of measurements) byBucket[measurement.bucket]?.push(measurement);
  return byBucket.map((own, bucket) => {
    const { checks, failures, latency } = addUpMeasurements(own);
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

function latencyOf(histogram: LatencyHistogram): Latency {
  const at = (p: number) => {
    const ms = quantile(histogram, p);
    return ms === null ? null : Math.round(ms);
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
