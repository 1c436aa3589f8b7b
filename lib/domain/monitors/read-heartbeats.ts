import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';

const STRIP_LENGTH = 30;

/**
 * The last 30 checks of every monitor of the organization by monitor id, a letter each and the oldest first: `o` for ok, `s`
 * for a good answer beyond the monitor's degraded threshold, `f` for failed, `u` for unknown. A monitor without a check has
 * no entry. One query however many; a letter and not an object, for a thousand strips go over the wire at once.
 */
export async function readHeartbeats(ctx: OrganizationContext): Promise<Map<string, string>> {
  requirePermission(ctx, 'monitor.read');
  const rows = await ctx.db.$queryRaw<{ id: string; beats: string }[]>`
    SELECT monitor.id, strip.beats
      FROM monitor CROSS JOIN LATERAL (
             SELECT string_agg(CASE WHEN outcome = 1 THEN 'f'
                                    WHEN outcome = 2 THEN 'u'
                                    WHEN response_time > monitor.degraded_threshold THEN 's'
                                    ELSE 'o' END, '' ORDER BY checked_at) AS beats
               FROM (SELECT checked_at, outcome, response_time FROM raw.check_result
                      WHERE check_result.monitor = monitor.number
                      ORDER BY checked_at DESC LIMIT ${STRIP_LENGTH}) AS beat) AS strip
     WHERE monitor.organization_id = ${ctx.organizationId} AND strip.beats IS NOT NULL`;
  return new Map(rows.map(({ id, beats }) => [id, beats]));
}
