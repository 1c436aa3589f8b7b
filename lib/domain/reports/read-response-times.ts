import { BUCKET_STARTS, latencyOf, unpackHistogram } from '@/lib/domain/monitors/history/read-latency';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { ReportLine } from '@/lib/schemas/reports/report';
import type { ReportRange } from './report-range';

/** What a report states about the checks of a monitor. */
export type Checks = Pick<ReportLine, 'checks' | 'failures' | 'responseTime'>;

type Row = { id: string; checks: number; failures: number; latency: number[] };

/** A year of one is half a second of PostgreSQL: others get their turn in between. */
const BATCH = 100;
const HOUR = 3_600_000;
const NO_CHECKS: Checks = { checks: 0, failures: 0, responseTime: { p50: null, p95: null, p99: null } };

/** The checks of monitors within a report, by monitor ID: one query per hundred monitors. */
export async function readResponseTimes(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: readonly string[],
  range: ReportRange,
): Promise<(id: string) => Checks> {
  const found = new Map<string, Checks>();
  for (let start = 0; start < monitorIds.length; start += BATCH) {
    const batch = monitorIds.slice(start, start + BATCH);
    for (const { id, latency, ...counts } of await db.$queryRaw<Row[]>(checksQuery(batch, range))) {
      found.set(id, { ...counts, responseTime: latencyOf(unpackHistogram(latency)) });
    }
  }
  return (id) => found.get(id) ?? NO_CHECKS;
}

/** Rollups, and raw results for hours that are not rolled up yet. */
export function checksQuery(monitorIds: readonly string[], { from, until }: ReportRange): Prisma.Sql {
  const first = new Date(Math.ceil(from.getTime() / HOUR) * HOUR);
  return Prisma.sql`
    WITH wanted AS MATERIALIZED (
      SELECT id, number FROM monitor WHERE id = ANY(${[...monitorIds]})
    ), progress AS MATERIALIZED (
      SELECT greatest(max(rolled_until), ${first}) AS until FROM raw.rollup_progress
    ), hours AS MATERIALIZED (
      SELECT id, checks, failures, latency FROM wanted
        JOIN raw.rollup_hour ON monitor = number AND hour >= ${first} AND hour < ${until}
                            AND hour < (SELECT until FROM progress)
       UNION ALL
      SELECT id, 1, (outcome = 1)::int,
             CASE WHEN outcome = 0 AND response_time IS NOT NULL
                  THEN ARRAY[(width_bucket(response_time, ${BUCKET_STARTS}::int[]) << 24) + 1] ELSE '{}' END
        FROM wanted
        JOIN raw.check_result ON monitor = number AND checked_at >= (SELECT until FROM progress) AND checked_at < ${until}
       WHERE outcome < 2
    ), counts AS (
      SELECT id, sum(checks)::int AS checks, sum(failures)::int AS failures FROM hours GROUP BY id
    ), times AS (
      SELECT id, entry >> 24 AS class, sum(entry & 16777215)::int AS n FROM hours, unnest(latency) AS entry GROUP BY 1, 2
    ), latencies AS (
      SELECT id, array_agg((class << 24) + least(n, 16777215)) AS latency FROM times GROUP BY 1
    )
    SELECT id, checks, failures, coalesce(latency, '{}') AS latency FROM counts LEFT JOIN latencies USING (id)`;
}
