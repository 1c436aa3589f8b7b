import type { OrganizationContext } from '@/lib/context/organization-context';
import { requirePermission } from '@/lib/context/permissions';
import { notify } from '@/lib/db/notify';
import { monitorNotFound } from './get-monitor';

/**
 * Deletes a monitor with its history for good. The engine resolves its open incident. Throws FORBIDDEN and NOT_FOUND.
 */
export async function deleteMonitor(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'monitor.delete');
  await ctx.db.$transaction(async (tx) => {
    // The state row first, in the engine's order, so that neither waits for the other in a circle.
    await tx.$queryRaw`
      SELECT 1 FROM monitor_state WHERE monitor_id = (
        SELECT id FROM monitor WHERE id = ${id} AND organization_id = ${ctx.organizationId}) FOR UPDATE`;
    const { count } = await tx.monitor.deleteMany({ where: { id, organizationId: ctx.organizationId } });
    if (count === 0) throw monitorNotFound();
    await notify(tx, 'pharos_checks');
  });
  return { message: 'Monitor deleted' };
}
