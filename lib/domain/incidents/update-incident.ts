import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Incident, IncidentChanges, NewIncidentUpdate } from '@/lib/schemas/incident';
import { changeIncident } from './change-incident';
import { getIncident } from './read-incidents';

/**
 * Changes the fields given; no fields change nothing. A new status writes an update and is told; title, description,
 * severity, monitors and postmortem are not. Throws FORBIDDEN, NOT_FOUND, UNKNOWN_MONITOR, VALIDATION_ERROR, CONFLICT.
 */
export async function updateIncident(
  ctx: OrganizationContext,
  id: string,
  changes: IncidentChanges,
): Promise<Incident> {
  requirePermission(ctx, 'incident.update');
  if (Object.keys(changes).length > 0) await changeIncident(ctx, id, changes);
  return getIncident(ctx, id);
}

/**
 * Adds an update to an incident. Without a change of status it adds its message and tells no endpoint. Throws FORBIDDEN,
 * NOT_FOUND, CONFLICT.
 */
export async function addIncidentUpdate(
  ctx: OrganizationContext,
  id: string,
  update: NewIncidentUpdate,
): Promise<Incident> {
  requirePermission(ctx, 'incident.update');
  await changeIncident(ctx, id, update);
  return getIncident(ctx, id);
}
