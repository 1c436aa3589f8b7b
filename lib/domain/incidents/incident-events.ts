import { formatDuration } from '@/lib/core/duration';
import type { Incident } from '@/lib/platform/db/generated/client';
import type { IncidentStatus } from '@/lib/platform/db/generated/enums';
import type { EventPayload } from '@/lib/schemas/events';

type Shown = Pick<
  Incident,
  'id' | 'title' | 'description' | 'status' | 'severity' | 'affectedMonitors' | 'startedAt' | 'updatedAt'
>;

/** incident.created, as api.md shapes it. */
export function incidentCreated(incident: Shown): EventPayload {
  return {
    event: 'incident.created',
    timestamp: incident.updatedAt.toISOString(),
    incident: shape(incident),
  };
}

/** incident.updated: a change of status, with the status before and the message that went with it. */
export function incidentUpdated(
  incident: Shown,
  previousStatus: IncidentStatus,
  message: string,
): EventPayload {
  return {
    event: 'incident.updated',
    timestamp: incident.updatedAt.toISOString(),
    incident: { ...shape(incident), previousStatus, message },
  };
}

/**
 * incident.resolved, with how long the incident lasted: all the time from its start to its end. That is `downtime` of
 * monitor.up where the monitor was down throughout; time degraded, unknown or in maintenance is no downtime.
 */
export function incidentResolved(incident: Shown & { resolvedAt: Date }): EventPayload {
  const { startedAt, updatedAt, resolvedAt } = incident;
  const duration = formatDuration(resolvedAt.getTime() - startedAt.getTime());
  return {
    event: 'incident.resolved',
    timestamp: updatedAt.toISOString(),
    incident: { ...shape(incident), resolvedAt: resolvedAt.toISOString(), duration },
  };
}

function shape({ id, title, description, status, severity, affectedMonitors }: Shown) {
  return { id, title, description, status, severity, affectedMonitors };
}
