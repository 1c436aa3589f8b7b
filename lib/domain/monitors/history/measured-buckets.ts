import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { toMs } from '@/lib/platform/db/moment-columns';
import type { Latency, MonitorStats } from '@/lib/schemas/monitor/stats';
import { type RegionId, regionNumber, regionOf } from '@/lib/schemas/regions';
import { type ChartBuckets, isRaw } from './chart-range';
import { BUCKET_STARTS, type LatencyHistogram, latencyOf, unpackHistogram } from './read-latency';

/** Totals of measurements: checks of known outcome, failures, and latencies of successful checks. */
export type Measured = { checks: number; failures: number; latency: Latency };

/** The totals of measurements in any order. */
export function addUpMeasurements(measurements: readonly Measurement[]): Measured {
  let [checks, failures] = [0, 0];
  // One map, because merging pairwise would copy the growing map for each measurement.
  const latency = new Map<number, number>();
  for (const measurement of measurements) {
    checks += measurement.checks;
    failures += measurement.failures;
    for (const [bucket, count] of measurement.latency)
      latency.set(bucket, (latency.get(bucket) ?? 0) + count);
  }
  return { checks, failures, latency: latencyOf(latency) };
}

type Bucket = MonitorStats['buckets'][number];

/** What was measured in a bucket of a chart, which knows when that was. */
export type BucketSums = Omit<Bucket, 'from' | 'to'>;

/** One entry per bucket of the chart, oldest first. */
export function sumBuckets(
  { count }: Pick<ChartBuckets, 'count'>,
  measurements: readonly Measurement[],
): BucketSums[] {
  const byBucket = Array.from({ length: count }, (): Measurement[] => []);
  for (const measurement of measurements) byBucket[measurement.bucket]?.push(measurement);
  return byBucket.map((own) => {
    const { checks, failures, latency } = addUpMeasurements(own);
    return { checks, failures, ...latency };
  });
}

/** `sumBuckets` with the times of each bucket. */
export function listBuckets(buckets: ChartBuckets, measurements: readonly Measurement[]): Bucket[] {
  const { from, width, until } = buckets;
  return sumBuckets(buckets, measurements).map((sums, bucket) => {
    const start = from.getTime() + bucket * width;
    return {
      from: new Date(start).toISOString(),
      to: new Date(Math.min(start + width, until.getTime())).toISOString(),
      ...sums,
    };
  });
}

/** The measurements from one region (by its number) in one bucket of a chart. `checks` excludes unknown outcomes. */
export type Measurement = {
  bucket: number;
  region: number;
  checks: number;
  failures: number;
  latency: LatencyHistogram;
};

/** `latency` has the entries of the histogram as one text, which costs the client less than a list: `16777217 33554434`. */
type Row = Omit<Measurement, 'latency'> & { latency: string | null };
/** `monitor` is an expression for its number. */
type Wanted = { monitor: Prisma.Sql; region: RegionId | undefined; buckets: ChartBuckets };

/**
 * The measurements of a monitor by bucket and region; a pair can occur more than once. Buckets of less than an hour are read from raw
 * results, others from rollups and, for hours not rolled up yet, raw results: in one query.
 */
export async function readMeasurements(
  db: Pick<Database, '$queryRaw'>,
  wanted: Wanted,
): Promise<Measurement[]> {
  const { from } = wanted.buckets;
  // Subqueries are evaluated before partitions are read, so those before are skipped.
  const until = Prisma.sql`(SELECT greatest(max(rolled_until), ${from}) FROM raw.rollup_progress)`;
  const query = isRaw(wanted.buckets)
    ? rawQuery(wanted, Prisma.sql`${from}`)
    : Prisma.sql`(${rollupQuery(wanted, until)}) UNION ALL (${rawQuery(wanted, until)})`;
  const rows = await db.$queryRaw<Row[]>(query);
  // A part of the past ends before the check at its end.
  const within = rows.filter(({ bucket }) => bucket < wanted.buckets.count);
  return within.map((row) => ({
    ...row,
    latency: unpackHistogram(row.latency?.split(' ').map(Number) ?? []),
  }));
}

const ENTRIES = Prisma.sql`string_agg(((class << 24) + n)::text, ' ')`;

/** Aggregates in the database, so that months are only a few rows. */
function rollupQuery({ monitor, region, buckets }: Wanted, until: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    WITH hours AS MATERIALIZED (
      SELECT ${bucketNumber(Prisma.sql`hour`, buckets)} AS bucket, region, checks, failures, latency
        FROM raw.rollup_hour
       WHERE monitor = ${monitor} AND hour >= ${buckets.from} AND hour < ${until} AND hour < ${buckets.until}
             ${inRegion(region)}
    ), times AS (
      SELECT bucket, region, entry >> 24 AS class, sum(entry & 16777215)::int AS n
        FROM hours, unnest(latency) AS entry GROUP BY 1, 2, 3
    ), latencies AS (
      SELECT bucket, region, ${ENTRIES} AS latency FROM times GROUP BY 1, 2
    )
    SELECT bucket, region, sum(checks)::int AS checks, sum(failures)::int AS failures,
           latencies.latency
      FROM hours LEFT JOIN latencies USING (bucket, region) GROUP BY bucket, region, latencies.latency`;
}

/** The same for raw results from `since` on. */
function rawQuery({ monitor, region, buckets }: Wanted, since: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT bucket, region, coalesce(sum(n), 0)::int AS checks,
           coalesce(sum(n) FILTER (WHERE outcome = 1), 0)::int AS failures,
           ${ENTRIES} FILTER (WHERE class IS NOT NULL) AS latency
      FROM (SELECT ${bucketNumber(Prisma.sql`checked_at`, buckets)} AS bucket, region, outcome,
                   CASE WHEN outcome = 0 THEN width_bucket(response_time, ${BUCKET_STARTS}::int[]) END AS class,
                   count(*)::int AS n
              FROM raw.check_result
             WHERE monitor = ${monitor} AND checked_at >= ${since} AND checked_at <= ${buckets.until} AND outcome < 2
                   ${inRegion(region)}
             GROUP BY 1, 2, 3, 4) AS counted
     GROUP BY bucket, region`;
}

function inRegion(region: RegionId | undefined): Prisma.Sql {
  return region ? Prisma.sql`AND region = ${regionNumber(region)}` : Prisma.empty;
}

/** Exact to the millisecond; without the numbers of `extract`, which are much slower. */
function bucketNumber(at: Prisma.Sql, { from, width }: Pick<ChartBuckets, 'from' | 'width'>): Prisma.Sql {
  return Prisma.sql`floor(${toMs(Prisma.sql`${at} - ${from}::timestamptz`)} / ${width}::int)::int`;
}

/** Failed checks from one region, at the time of the first: those too close together for a chart are one mark. */
export type FailureMark = { at: Date; region: RegionId; failures: number };

/** Marks across a chart: one every few pixels, whatever the number of failures. */
const MARKS = 240;

/** When checks of a monitor failed, oldest first; at most 240 marks per region, read from the index of unsuccessful results. */
export async function readFailures(
  db: Pick<Database, '$queryRaw'>,
  { monitor, buckets }: Pick<Wanted, 'monitor' | 'buckets'>,
): Promise<FailureMark[]> {
  const { from, width, count } = buckets;
  const end = new Date(from.getTime() + width * count);
  const step = { from, width: Math.ceil((width * count) / MARKS) };
  const rows = await db.$queryRaw<{ at: Date; region: number; failures: number }[]>`
    SELECT min(checked_at) AS at, region, count(*)::int AS failures
      FROM raw.check_result
     WHERE monitor = ${monitor} AND checked_at >= ${from} AND checked_at < ${end} AND outcome <> 0 AND outcome = 1
     GROUP BY region, ${bucketNumber(Prisma.sql`checked_at`, step)} ORDER BY 1, 2`;
  return rows.flatMap((row) => {
    const region = regionOf(row.region);
    return region === null ? [] : [{ ...row, region }];
  });
}
