import { recordAudit } from '@/lib/audit/record-audit';
import type { OrganizationContext } from '@/lib/context/organization-context';
import { requirePermission } from '@/lib/context/permissions';
import { notify } from '@/lib/db/notify';
import { notePagesChanged } from '@/lib/page-changes/note-pages-changed';
import { lockMaintenance } from './lock-maintenance';
import { serializeMaintenance, subjectOf } from './serialize-maintenance';
import { tellFinished } from './tell-maintenance';

/** Deletes a window with its past; the engine ends what goes on of it within a second. Throws FORBIDDEN, NOT_FOUND. */
export async function deleteMaintenance(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'maintenance.delete');
  await ctx.db.$transaction(async (tx) => {
    const row = await lockMaintenance(tx, ctx, id);
    await tellFinished(tx, ctx, id, ctx.clock.now());
    await tx.maintenanceWindow.delete({ where: { id } });
    const before = serializeMaintenance(row, ctx.clock.now());
    await recordAudit(tx, ctx, { action: 'maintenance.delete', subject: subjectOf(before), before });
    await notePagesChanged(tx, { monitorIds: before.monitors });
    await notify(tx, 'pharos_deliveries');
  });
  return { message: 'Maintenance window deleted' };
}
