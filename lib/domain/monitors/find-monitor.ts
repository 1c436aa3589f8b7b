import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { monitorNotFound } from './get-monitor';

/** The number under which results name a monitor of the organization; NOT_FOUND as `getMonitor`. */
export async function findMonitorNumber(ctx: OrganizationContext, id: string): Promise<number> {
  requirePermission(ctx, 'monitor.read');
  const row = await ctx.db.monitor.findFirst({
    where: { id, organizationId: ctx.organizationId },
    select: { number: true },
  });
  if (row === null) throw monitorNotFound();
  return row.number;
}
