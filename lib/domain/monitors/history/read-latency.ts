import { mapInTurns } from '@/lib/core/map-in-turns';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { Latency } from '@/lib/schemas/monitor/stats';

/** Counts of response times by bucket. Sparse: empty buckets have no entry. */
export type LatencyHistogram = ReadonlyMap<number, number>;

const GROWTH = 1.09;
const LONGEST_TIMEOUT_MS = 60_000;
const COUNT_BITS = 24;
const COUNT_MASK = 2 ** COUNT_BITS - 1;

/**
 * The starts of the buckets in whole milliseconds: bucket b holds [BUCKET_STARTS[b - 1], BUCKET_STARTS[b]), bucket 0 times below
 * one millisecond, the last one everything longer. Width: 1 ms up to 12 ms, then at most 9%. Stored rollups depend on this list:
 * it must never change.
 */
export const BUCKET_STARTS: readonly number[] = listBucketStarts();
/** Maximum relative error of a quantile: half of a 9% wide bucket. */
export const QUANTILE_ERROR = Math.sqrt(GROWTH) - 1;
export const EMPTY_HISTOGRAM: LatencyHistogram = new Map();

/** Median and 95th percentile of successful checks in milliseconds; null without any. */
export type LatencyPoint = Pick<Latency, 'p50' | 'p95'>;

/** The last 24 hours, oldest first, including the current one, and their total. */
export type LatencySeries = { hours: LatencyPoint[]; total: LatencyPoint };

const HOUR = 3_600_000;
const HOURS = 24;

/** The response times of monitors from all regions, by monitor ID, in one query of rollups and recent raw results. */
export async function readLatencySeries(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: string[],
  now: Date,
): Promise<Map<string, LatencySeries>> {
  const first = Math.floor(now.getTime() / HOUR) - HOURS + 1;
  const byMonitor = new Map<string, LatencyHistogram[]>(
    monitorIds.map((id) => [id, Array.from({ length: HOURS }, () => EMPTY_HISTOGRAM)]),
  );
  if (monitorIds.length > 0) {
    const rows = await db.$queryRaw<{ monitorId: string; hour: Date; latency: string }[]>(
      latencyQuery(monitorIds, { since: new Date(first * HOUR), now }),
    );
    await mapInTurns(rows, ({ monitorId, hour, latency }) => {
      const hours = byMonitor.get(monitorId);
      if (hours) hours[hour.getTime() / HOUR - first] = unpackHistogram(latency.split(',').map(Number));
    });
  }
  return new Map(
    await mapInTurns([...byMonitor], ([id, hours]): [string, LatencySeries] => [
      id,
      { hours: hours.map(pointOf), total: pointOf(hours.reduce(mergeHistograms, EMPTY_HISTOGRAM)) },
    ]),
  );
}

function pointOf(histogram: LatencyHistogram): LatencyPoint {
  const { p50, p95 } = latencyOf(histogram);
  return { p50, p95 };
}

/** The median and the 95th and 99th percentile as of `quantile`, in whole milliseconds. */
export function latencyOf(histogram: LatencyHistogram): Latency {
  const entries = sortEntries(histogram);
  const at = (p: number) => {
    const ms = quantileOf(entries, p);
    return ms === null ? null : Math.round(ms);
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/**
 * One row with a packed histogram per monitor and hour with successful checks, as a text: clients parse lists one character at a
 * time. `since` is a whole hour.
 */
export function latencyQuery(monitorIds: string[], { since, now }: { since: Date; now: Date }): Prisma.Sql {
  return Prisma.sql`
    WITH wanted AS MATERIALIZED (
      SELECT id, number FROM monitor WHERE id = ANY(${monitorIds})
    ), progress AS MATERIALIZED (
      SELECT greatest(max(rolled_until), ${since}) AS until FROM raw.rollup_progress
    ), counted AS (
      SELECT id, hour, entry >> 24 AS class, entry & 16777215 AS n
        FROM wanted
        JOIN raw.rollup_hour ON monitor = number AND hour >= ${since} AND hour < (SELECT until FROM progress)
       CROSS JOIN unnest(latency) AS entry
       UNION ALL
      SELECT id, date_trunc('hour', checked_at, 'UTC'), width_bucket(response_time, ${BUCKET_STARTS}::int[]), 1
        FROM wanted
        JOIN raw.check_result ON monitor = number AND checked_at >= (SELECT until FROM progress)
                             AND checked_at <= ${now}
       WHERE outcome = 0 AND response_time IS NOT NULL
    ), times AS (SELECT id, hour, class, sum(n)::int AS n FROM counted GROUP BY 1, 2, 3)
    SELECT id AS "monitorId", hour, string_agg(((class << 24) + n)::text, ',') AS latency FROM times GROUP BY 1, 2`;
}

function listBucketStarts(): number[] {
  const starts: number[] = [];
  for (let start = 1; start <= LONGEST_TIMEOUT_MS; start = Math.max(start + 1, Math.floor(start * GROWTH))) {
    starts.push(start);
  }
  return starts;
}

/** The histogram with one response time (milliseconds, 0 or more) added. */
export function addResponseTime(histogram: LatencyHistogram, ms: number): LatencyHistogram {
  return mergeHistograms(histogram, new Map([[bucketOf(ms), 1]]));
}

/** The sum of two histograms; associative and commutative. */
export function mergeHistograms(one: LatencyHistogram, other: LatencyHistogram): LatencyHistogram {
  const merged = new Map(one);
  for (const [bucket, count] of other) merged.set(bucket, (merged.get(bucket) ?? 0) + count);
  return merged;
}

/** The `p` quantile (0 < p ≤ 1) in milliseconds, within QUANTILE_ERROR of the exact one; null for an empty histogram. */
export function quantile(histogram: LatencyHistogram, p: number): number | null {
  return quantileOf(sortEntries(histogram), p);
}

type Entries = readonly (readonly [bucket: number, count: number])[];

function sortEntries(histogram: LatencyHistogram): Entries {
  return [...histogram].sort(([a], [b]) => a - b);
}

function quantileOf(entries: Entries, p: number): number | null {
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(p * total));
  let seen = 0;
  for (const [bucket, count] of entries) {
    seen += count;
    if (seen >= rank) return middleOfBucket(bucket);
  }
  throw new Error('p is above 1');
}

/** The stored form: one number per entry, with the bucket in the upper bits and the count (below 2^24) in the lower ones. */
export function packHistogram(histogram: LatencyHistogram): number[] {
  return sortEntries(histogram).map(([bucket, count]) => bucket * 2 ** COUNT_BITS + count);
}

/** The inverse of `packHistogram`. */
export function unpackHistogram(packed: readonly number[]): LatencyHistogram {
  return new Map(packed.map((entry) => [entry >>> COUNT_BITS, entry & COUNT_MASK]));
}

function bucketOf(ms: number): number {
  const next = BUCKET_STARTS.findIndex((start) => start > ms);
  return next === -1 ? BUCKET_STARTS.length : next;
}

/** The geometric mean of the first and last whole millisecond of a bucket. */
export function middleOfBucket(bucket: number): number {
  const first = BUCKET_STARTS[bucket - 1] ?? 0;
  const last = (BUCKET_STARTS[bucket] ?? LONGEST_TIMEOUT_MS + 1) - 1;
  return Math.sqrt(first * last);
}
