import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { notify } from '@/lib/platform/db/listen';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import { monitorNotFound } from './find-monitor';

/** Permanently deletes a monitor with its history. The engine resolves its open incident. Throws FORBIDDEN and NOT_FOUND. */
export async function deleteMonitor(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'monitor.delete');
  await ctx.db.$transaction(async (tx) => {
    // State row first, in the engine's order, to avoid deadlocks.
    await tx.$queryRaw`
      SELECT 1 FROM monitor_state WHERE monitor_id = (
        SELECT id FROM monitor WHERE id = ${id} AND organization_id = ${ctx.organizationId}) FOR UPDATE`;
    const where = { id, organizationId: ctx.organizationId };
    const monitor = await tx.monitor.findFirst({ where, select: { name: true, url: true, type: true } });
    if (monitor === null) throw monitorNotFound();
    await notePagesChanged(tx, { monitorIds: [id] });
    await tx.monitor.delete({ where: { id } });
    const subject = { id, label: monitor.name };
    await recordAudit(tx, ctx, { action: 'monitor.delete', subject, before: monitor });
    await notify(tx, 'pharos_checks');
  });
  return { message: 'Monitor deleted' };
}
