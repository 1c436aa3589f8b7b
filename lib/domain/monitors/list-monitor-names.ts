import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';

/** The ids and names of all monitors of the organization, by name: for choosing among them. */
export async function listMonitorNames(ctx: OrganizationContext): Promise<{ id: string; name: string }[]> {
  requirePermission(ctx, 'monitor.read');
  const where = { organizationId: ctx.organizationId };
  const found = await ctx.db.monitor.findMany({ where, select: { id: true, name: true } });
  return found.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}
