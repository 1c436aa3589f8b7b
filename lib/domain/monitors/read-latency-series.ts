import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { Latency } from '@/lib/schemas/stats';
import {
  BUCKET_STARTS,
  EMPTY_HISTOGRAM,
  type LatencyHistogram,
  mergeHistograms,
  quantile,
  unpackHistogram,
} from './latency-histogram';

/** Median and 95th percentile of good checks in milliseconds; null without one. */
export type LatencyPoint = Pick<Latency, 'p50' | 'p95'>;

/** The last 24 hours, oldest first, the last one running; and all of them together. */
export type LatencySeries = { hours: LatencyPoint[]; total: LatencyPoint };

const HOUR = 3_600_000;
const HOURS = 24;

/**
 * How long monitors took to answer, from all regions together, by monitor id: one query however many, of the rollups and,
 * for the hours that are not rolled up yet, of the raw results.
 */
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
    const rows = await db.$queryRaw<{ monitorId: string; hour: Date; latency: number[] }[]>(
      latencyQuery(monitorIds, { since: new Date(first * HOUR), now }),
    );
    for (const { monitorId, hour, latency } of rows) {
      const hours = byMonitor.get(monitorId);
      if (hours) hours[hour.getTime() / HOUR - first] = unpackHistogram(latency);
    }
  }
  return new Map(
    [...byMonitor].map(([id, hours]) => [
      id,
      { hours: hours.map(pointOf), total: pointOf(hours.reduce(mergeHistograms, EMPTY_HISTOGRAM)) },
    ]),
  );
}

function pointOf(histogram: LatencyHistogram): LatencyPoint {
  const at = (p: number) => {
    const ms = quantile(histogram, p);
    return ms === null ? null : Math.round(ms);
  };
  return { p50: at(0.5), p95: at(0.95) };
}

/** One row a monitor and hour with a good check in it, its histogram packed. `since` is a whole hour. */
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
    SELECT id AS "monitorId", hour, array_agg((class << 24) + n) AS latency FROM times GROUP BY 1, 2`;
}
