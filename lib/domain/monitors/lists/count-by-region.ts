import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { IS_PROBED } from '@/lib/domain/monitors/last-checks';

/** How many enabled monitors of the organization are checked from each region; regions without are missing. Throws FORBIDDEN. */
export async function countByRegion(ctx: OrganizationContext): Promise<Map<string, number>> {
  requirePermission(ctx, 'monitor.read');
  const rows = await ctx.db.$queryRaw<{ region: string; monitors: number }[]>`
    SELECT region, count(*)::int AS monitors FROM monitor CROSS JOIN unnest(regions) AS region
     WHERE organization_id = ${ctx.organizationId} AND enabled AND ${IS_PROBED} GROUP BY region`;
  return new Map(rows.map(({ region, monitors }) => [region, monitors]));
}
