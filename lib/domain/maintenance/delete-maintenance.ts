import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { notify } from '@/lib/platform/db/notify';
import { notePagesChanged } from '@/lib/platform/page-front/note-pages-changed';
import { lockMaintenance } from './lock-maintenance';
import { serializeMaintenance, subjectOf } from './serialize-maintenance';
import { tellCancelled } from './tell-change';
import { tellFinished } from './tell-maintenance';

/**
 * Deletes a window with its past; the engine ends what goes on of it within a second, and subscribers
 * are told that what was planned is not to be. Throws FORBIDDEN, NOT_FOUND.
 */
export async function deleteMaintenance(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'maintenance.delete');
  await ctx.db.$transaction(async (tx) => {
    const row = await lockMaintenance(tx, ctx, id);
    const now = ctx.clock.now();
    const before = serializeMaintenance(row, now);
    await tellFinished(tx, ctx, id, now);
    await tellCancelled(tx, ctx, before, now);
    await tx.maintenanceWindow.delete({ where: { id } });
    await recordAudit(tx, ctx, { action: 'maintenance.delete', subject: subjectOf(before), before });
    await notePagesChanged(tx, { monitorIds: before.monitors });
    await notify(tx, 'pharos_deliveries');
  });
  return { message: 'Maintenance window deleted' };
}
