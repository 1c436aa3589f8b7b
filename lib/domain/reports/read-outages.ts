import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { whySchema } from '@/lib/schemas/monitor/transition';
import type { ReportOutage } from '@/lib/schemas/reports/report';
import type { CountedOutage } from './count-uptime';

/** An outage of a monitor. */
export type FoundOutage = CountedOutage & { monitorId: string };

type Row = { place: bigint; why: unknown; incidentId: string | null };

/**
 * Outages with their causes and incidents, in the order given, in one query. Corrections can begin, extend, cut and join outages: each has the
 * cause of the first measured downtime that overlaps it, and of the incidents that do the one that was opened closest to its start.
 */
export async function readOutages(
  { db, organizationId }: Pick<OrganizationContext, 'db' | 'organizationId'>,
  outages: readonly FoundOutage[],
): Promise<ReportOutage[]> {
  if (outages.length === 0) return [];
  const ids = outages.map(({ monitorId }) => monitorId);
  const starts = outages.map(({ from }) => from);
  const ends = outages.map(({ to }) => to);
  const rows = await db.$queryRaw<Row[]>`
    WITH opened AS MATERIALIZED (
      SELECT id, monitor_id, started_at, resolved_at FROM incident
       WHERE organization_id = ${organizationId} AND monitor_id = ANY(${[...new Set(ids)]})
    )
    SELECT place, why,
           (SELECT id FROM opened
             WHERE opened.monitor_id = outage.monitor_id AND started_at < coalesce(outage.to_at, 'infinity')
               AND (resolved_at IS NULL OR resolved_at > outage.from_at)
             ORDER BY greatest(started_at - outage.from_at, outage.from_at - started_at) LIMIT 1) AS "incidentId"
      FROM unnest(${ids}::text[], ${starts}::timestamptz[], ${ends}::timestamptz[])
             WITH ORDINALITY AS outage (monitor_id, from_at, to_at, place)
           LEFT JOIN LATERAL (
             SELECT why FROM status_period AS period
              WHERE period.monitor_id = outage.monitor_id AND state = 'down'
                AND from_at < coalesce(outage.to_at, 'infinity') AND (period.to_at IS NULL OR period.to_at > outage.from_at)
                -- Periods have no gaps: the last one that started by then is the first that overlaps.
                AND from_at >= coalesce((SELECT max(earlier.from_at) FROM status_period AS earlier
                                          WHERE earlier.monitor_id = outage.monitor_id AND earlier.from_at <= outage.from_at),
                                        '-infinity')
              ORDER BY from_at LIMIT 1) AS cause ON true`;
  const found = new Map(rows.map((row) => [Number(row.place) - 1, row]));
  return outages.map(({ monitorId, from, to, downMs }, place) => {
    const { why = null, incidentId = null } = found.get(place) ?? {};
    return {
      monitorId,
      startedAt: from.toISOString(),
      endedAt: to?.toISOString() ?? null,
      downMs,
      cause: causeOf(why),
      incidentId,
    };
  });
}

/** What the first failing region saw. */
function causeOf(stored: unknown): string | null {
  if (stored === null) return null;
  const { regions } = whySchema.parse(stored);
  const failing = regions.find(({ verdict, error }) => verdict === 'failing' && error !== null);
  return failing?.error?.message ?? null;
}
