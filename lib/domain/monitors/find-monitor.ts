import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Monitor } from '@/lib/schemas/monitor';
import { readUptimes } from './history/uptime';
import { monitorInclude, serializeMonitor } from './serialize-monitor';
import { readSilences } from './silence';

/** The number of a monitor in stored results. Throws NOT_FOUND like `getMonitor`. */
export async function findMonitorNumber(ctx: OrganizationContext, id: string): Promise<number> {
  requirePermission(ctx, 'monitor.read');
  const row = await ctx.db.monitor.findFirst({
    where: { id, organizationId: ctx.organizationId },
    select: { number: true },
  });
  if (row === null) throw monitorNotFound();
  return row.number;
}

/** One monitor. Throws NOT_FOUND, also for monitors of other organizations. */
export async function getMonitor(ctx: OrganizationContext, id: string): Promise<Monitor> {
  requirePermission(ctx, 'monitor.read');
  const row = await ctx.db.monitor.findFirst({
    where: { id, organizationId: ctx.organizationId },
    include: monitorInclude,
  });
  if (row === null) throw monitorNotFound();
  const now = ctx.clock.now();
  const silences = await readSilences(ctx.db, [row.id], now);
  const uptimes = await readUptimes(ctx.db, [row.id], now, silences);
  return serializeMonitor(ctx, row, uptimes.get(row.id) ?? 100, silences.get(row.id));
}

/** The error for a missing monitor. */
export function monitorNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'Monitor not found.');
}
