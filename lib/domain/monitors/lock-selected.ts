import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Transaction } from '@/lib/platform/db/client';
import { isRegionId, type RegionId } from '@/lib/schemas/regions';
import { monitorNotFound } from './get-monitor';

/** What is changed of several monitors at once. */
export type Selected = {
  id: string;
  name: string;
  url: string;
  type: string;
  enabled: boolean;
  tags: string[];
  regions: RegionId[];
  configVersion: number;
};

/**
 * Those of the monitors that the organization has, held until the transaction ends; unknown ids are passed over, for the
 * list that they were picked from may be seconds old. Two statements however many. Throws NOT_FOUND where none is left.
 */
export async function lockSelected(
  tx: Transaction,
  ctx: OrganizationContext,
  ids: string[],
): Promise<Selected[]> {
  // The state rows first and by their ids, in the engine's order, so that neither waits for the other in a circle.
  await tx.$queryRaw`
    SELECT 1 FROM monitor_state JOIN monitor ON monitor.id = monitor_id
     WHERE monitor_id = ANY(${ids}) AND organization_id = ${ctx.organizationId}
     ORDER BY monitor_id FOR UPDATE OF monitor_state`;
  const rows = await tx.monitor.findMany({
    where: { id: { in: ids }, organizationId: ctx.organizationId },
    select: {
      id: true,
      name: true,
      url: true,
      type: true,
      enabled: true,
      tags: true,
      regions: true,
      configVersion: true,
    },
    orderBy: { id: 'asc' },
  });
  if (rows.length === 0) throw monitorNotFound();
  return rows.map((row) => ({ ...row, regions: row.regions.filter(isRegionId) }));
}
