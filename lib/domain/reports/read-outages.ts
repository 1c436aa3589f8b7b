import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { whySchema } from '@/lib/schemas/monitor/transition';
import type { ReportOutage } from '@/lib/schemas/reports/report';
import type { CountedOutage } from './count-uptime';

/** An outage of a monitor. */
export type FoundOutage = CountedOutage & { monitorId: string };

type Row = { place: bigint; why: unknown; incidentId: string | null };

/** Outages with their causes and incidents, in the order given, in one query. */
export async function readOutages(
  { db, organizationId }: Pick<OrganizationContext, 'db' | 'organizationId'>,
  outages: readonly FoundOutage[],
): Promise<ReportOutage[]> {
  if (outages.length === 0) return [];
  const ids = outages.map(({ monitorId }) => monitorId);
  const starts = outages.map(({ from }) => from);
  const rows = await db.$queryRaw<Row[]>`
    WITH opened AS MATERIALIZED (
      SELECT id, monitor_id, started_at, resolved_at FROM incident
       WHERE organization_id = ${organizationId} AND monitor_id = ANY(${[...new Set(ids)]})
    )
    SELECT place, why,
           (SELECT id FROM opened
             WHERE opened.monitor_id = outage.monitor_id AND started_at <= outage.from_at
               AND (resolved_at IS NULL OR resolved_at > outage.from_at)
             ORDER BY started_at DESC LIMIT 1) AS "incidentId"
      FROM unnest(${ids}::text[], ${starts}::timestamptz[]) WITH ORDINALITY AS outage (monitor_id, from_at, place)
           LEFT JOIN status_period AS period
                  ON period.monitor_id = outage.monitor_id AND period.from_at = outage.from_at AND state = 'down'`;
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
