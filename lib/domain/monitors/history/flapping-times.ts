import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';

/** A time in which a monitor flapped: people were notified of the change at `since`, and of no later one. */
export type FlappingTime = { since: Date; lastChangeAt: Date };

const MAX_TIMES = 100;

/** When a monitor of the organization flapped in the last 30 days, newest first, at most 100 times. Throws FORBIDDEN. */
export async function listFlappingTimes(
  ctx: OrganizationContext,
  monitorId: string,
): Promise<FlappingTime[]> {
  requirePermission(ctx, 'monitor.read');
  return ctx.db.flapping.findMany({
    where: { monitorId, organizationId: ctx.organizationId },
    select: { since: true, lastChangeAt: true },
    orderBy: { id: 'desc' },
    take: MAX_TIMES,
  });
}
