import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';

/** The version of each monitor that has a `ref`, by it; or only of those with one of these. Throws FORBIDDEN. */
export async function listRefs(
  ctx: OrganizationContext,
  among?: readonly string[],
): Promise<Map<string, number>> {
  requirePermission(ctx, 'monitor.read');
  const rows = await ctx.db.monitor.findMany({
    where: {
      organizationId: ctx.organizationId,
      ref: among === undefined ? { not: null } : { in: [...among] },
    },
    select: { ref: true, version: true },
  });
  return new Map(rows.flatMap(({ ref, version }) => (ref === null ? [] : [[ref, version] as const])));
}
