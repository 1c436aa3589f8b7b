import type { OrganizationContext } from '@/lib/context/organization-context';
import { requirePermission } from '@/lib/context/permissions';

/** One check as a beat of the strip: `slow` is a good answer beyond the monitor's degraded threshold. */
export type Heartbeat = {
  at: Date;
  /** The region's number, as results are stored. */
  region: number;
  outcome: 'ok' | 'slow' | 'failed' | 'unknown';
  responseTime: number | null;
};

const STRIP_LENGTH = 30;

/** The last 30 checks of every monitor of the organization, oldest first, by monitor id: one query however many. */
export async function readHeartbeats(ctx: OrganizationContext): Promise<Map<string, Heartbeat[]>> {
  requirePermission(ctx, 'monitor.read');
  const rows = await ctx.db.$queryRaw<(Heartbeat & { monitorId: string })[]>`
    SELECT monitor.id AS "monitorId", beat.checked_at AS at, beat.region, beat.response_time AS "responseTime",
           CASE WHEN beat.outcome = 1 THEN 'failed'
                WHEN beat.outcome = 2 THEN 'unknown'
                WHEN beat.response_time > monitor.degraded_threshold THEN 'slow'
                ELSE 'ok' END AS outcome
      FROM monitor CROSS JOIN LATERAL (
             SELECT checked_at, region, outcome, response_time FROM raw.check_result
              WHERE check_result.monitor = monitor.number
              ORDER BY checked_at DESC LIMIT ${STRIP_LENGTH}) AS beat
     WHERE monitor.organization_id = ${ctx.organizationId}
     ORDER BY monitor.id, beat.checked_at`;
  const strips = new Map<string, Heartbeat[]>();
  for (const { monitorId, ...beat } of rows) {
    const strip = strips.get(monitorId);
    if (strip) strip.push(beat);
    else strips.set(monitorId, [beat]);
  }
  return strips;
}
