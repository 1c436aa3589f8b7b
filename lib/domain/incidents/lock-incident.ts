import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Transaction } from '@/lib/platform/db/client';
import type { Incident } from '@/lib/platform/db/generated/client';
import { incidentNotFound } from './read-incidents';

/**
 * Locks an incident until the transaction ends. For an automatic one the monitor's state row is locked first, as the
 * engine does: neither changes an incident under the other's hands, nor do they wait for each other in a circle.
 * Throws NOT_FOUND.
 */
export async function lockIncident(
  tx: Transaction,
  { organizationId }: Pick<OrganizationContext, 'organizationId'>,
  id: string,
): Promise<Incident> {
  const where = { id, organizationId };
  const found = await tx.incident.findFirst({ where, select: { monitorId: true } });
  if (found === null) throw incidentNotFound();
  await tx.$queryRaw`SELECT 1 FROM monitor_state WHERE monitor_id = ${found.monitorId} FOR UPDATE`;
  await tx.$queryRaw`SELECT 1 FROM incident WHERE id = ${id} FOR UPDATE`;
  const incident = await tx.incident.findFirst({ where });
  if (incident === null) throw incidentNotFound();
  return incident;
}
