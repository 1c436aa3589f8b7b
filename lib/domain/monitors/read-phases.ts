import type { Phases } from '@/lib/checks/phases';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { Prisma } from '@/lib/platform/db/generated/client';
import { REGIONS, type RegionId } from '@/lib/schemas/regions';
import type { UptimeWindow } from '@/lib/schemas/stats';
import { WINDOW_MS } from './uptime';

/** Medians of good checks in milliseconds: of each phase where it happened, and of the whole. */
export type PhaseMedians = Phases & { responseTime: number | null };

/** What good checks from one region (null: from all together) spend their time with; `checks` says how many were looked at. */
export type PhaseSummary = { region: RegionId | null; checks: number; medians: PhaseMedians };

type Row = PhaseMedians & { region: number | null; checks: number };

const MOMENTS = 200;

/**
 * The phases of a monitor's checks over a window, together and by region, from checks spread evenly over it: one query whose
 * cost does not grow with the window. Raw results tell phases, so older time than is kept of them is left out. Empty for
 * an unknown monitor and for another organization's.
 */
export async function readPhases(
  ctx: OrganizationContext,
  id: string,
  window: UptimeWindow,
): Promise<PhaseSummary[]> {
  requirePermission(ctx, 'monitor.read');
  const { organizationId } = ctx;
  const rows = await ctx.db.$queryRaw<Row[]>(
    phasesQuery({ id, organizationId, window, now: ctx.clock.now() }),
  );
  return rows.flatMap(({ region: number, checks, ...medians }) => {
    const region = REGIONS.find((each) => each.number === number)?.id ?? null;
    // A region that is no more, told apart from the row of all regions.
    return checks === 0 || (region === null && number !== null) ? [] : [{ region, checks, medians }];
  });
}

type Wanted = { id: string; organizationId: string; window: UptimeWindow; now: Date };

/**
 * At each of 200 moments the first few checks after it, one of each region as a rule, for regions share an interval: 200 short
 * reads of the index (monitor, checked_at). All checks of a month would be 260,000 rows.
 */
export function phasesQuery({ id, organizationId, window, now }: Wanted): Prisma.Sql {
  const step = WINDOW_MS[window] / MOMENTS / 1000;
  const since = new Date(now.getTime() - WINDOW_MS[window]);
  return Prisma.sql`
    WITH wanted AS MATERIALIZED (
      SELECT number FROM monitor WHERE id = ${id} AND organization_id = ${organizationId}
    ), sample AS (
      SELECT result.*
        FROM generate_series(0, ${MOMENTS - 1}::int) AS nth
       CROSS JOIN LATERAL (
               SELECT region, outcome, response_time, dns, connect, tls, first_byte, transfer
                 FROM raw.check_result
                WHERE monitor = (SELECT number FROM wanted)
                  AND checked_at > ${since}::timestamptz + nth * make_interval(secs => ${step}::float8)
                  AND checked_at <= ${since}::timestamptz + (nth + 1) * make_interval(secs => ${step}::float8)
                ORDER BY checked_at LIMIT ${REGIONS.length}) AS result
       WHERE outcome = 0
    )
    SELECT region, count(*)::int AS checks,
           percentile_disc(0.5) WITHIN GROUP (ORDER BY response_time) AS "responseTime",
           percentile_disc(0.5) WITHIN GROUP (ORDER BY dns) AS dns,
           percentile_disc(0.5) WITHIN GROUP (ORDER BY connect) AS connect,
           percentile_disc(0.5) WITHIN GROUP (ORDER BY tls) AS tls,
           percentile_disc(0.5) WITHIN GROUP (ORDER BY first_byte) AS "firstByte",
           percentile_disc(0.5) WITHIN GROUP (ORDER BY transfer) AS transfer
      FROM sample
     GROUP BY GROUPING SETS ((), (region))
     ORDER BY region NULLS FIRST`;
}
