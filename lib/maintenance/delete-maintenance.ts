import { type OrganizationContext, requireWrite } from '@/lib/context/organization-context';
import { notify } from '@/lib/db/notify';
import { lockMaintenance } from './lock-maintenance';

/** Deletes a window with its past; the engine ends what goes on of it within a second. Throws FORBIDDEN, NOT_FOUND. */
export async function deleteMaintenance(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requireWrite(ctx);
  await ctx.db.$transaction(async (tx) => {
    await lockMaintenance(tx, ctx, id);
    await tx.maintenanceWindow.delete({ where: { id } });
    await notify(tx, 'pharos_deliveries');
  });
  return { message: 'Maintenance window deleted' };
}
