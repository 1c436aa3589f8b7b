import type { OrganizationContext } from '../context/organization-context';
import { requirePermission } from '../context/permissions';

/** The number of monitors that are down, without paused ones and those in maintenance. */
export async function countDownMonitors(ctx: OrganizationContext): Promise<number> {
  requirePermission(ctx, 'monitor.read');
  const rows = await ctx.db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count
      FROM monitor JOIN monitor_state AS state ON state.monitor_id = monitor.id
     WHERE monitor.organization_id = ${ctx.organizationId} AND monitor.enabled
       AND state.status = 'down' AND state.status_before_maintenance IS NULL`;
  return rows[0]?.count ?? 0;
}
