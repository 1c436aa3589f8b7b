import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Transaction } from '@/lib/platform/db/client';
import { maintenanceNotFound } from './read-maintenance';
import { type MaintenanceRow, maintenanceInclude } from './serialize-maintenance';

/** Locks a window until the transaction ends, so that neither the engine nor another caller moves it on. Throws NOT_FOUND. */
export async function lockMaintenance(
  tx: Transaction,
  { organizationId }: Pick<OrganizationContext, 'organizationId'>,
  id: string,
): Promise<MaintenanceRow> {
  const where = { id, organizationId };
  await tx.$queryRaw`
    SELECT 1 FROM maintenance_window WHERE id = ${id} AND organization_id = ${organizationId} FOR UPDATE`;
  const row = await tx.maintenanceWindow.findFirst({ where, include: maintenanceInclude });
  if (row === null) throw maintenanceNotFound();
  return row;
}
