import { requireFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Monitor } from '@/lib/schemas/monitor';
import { monitorInclude, serializeMonitors } from './serialize-monitor';

/** The number of a monitor in stored results. Throws NOT_FOUND like `getMonitor`. */
export async function findMonitorNumber(ctx: OrganizationContext, id: string): Promise<number> {
  requirePermission(ctx, 'monitor.read');
  const row = await ctx.db.monitor.findFirst({
    where: { id, organizationId: ctx.organizationId },
    select: { number: true },
  });
  return requireFound(row, 'Monitor').number;
}

/** One monitor. Throws NOT_FOUND, also for monitors of other organizations. */
export async function getMonitor(ctx: OrganizationContext, id: string): Promise<Monitor> {
  requirePermission(ctx, 'monitor.read');
  const row = await ctx.db.monitor.findFirst({
    where: { id, organizationId: ctx.organizationId },
    include: monitorInclude,
  });
  const [monitor] = await serializeMonitors(ctx, row ? [row] : []);
  return requireFound(monitor, 'Monitor');
}
