import type { MonitorType } from '@/lib/checks/types';
import { formatDuration } from '@/lib/core/time/duration';
import type { IncidentSeverity, IncidentStatus } from '@/lib/platform/db/generated/enums';
import type { Cause, EventContent } from '@/lib/schemas/webhooks/events';
import type { Ancestor } from '@/lib/state/announcements/decide-announcement';
import type { StatusEffect } from '@/lib/state/types';

/** A change of the status of a monitor, with what the domain knows of it: what comes in. */
export type MonitorChange = {
  monitor: {
    id: string;
    organizationId: string;
    name: string;
    url: string;
    type: MonitorType;
    ref: string | null;
    tags: string[];
    dependsOn: string[];
    config: { intervalMs: number };
  };
  effect: StatusEffect;
  /** The automatic incident afterwards; null: there is none. */
  incident: { id: string; severity: IncidentSeverity; status: IncidentStatus } | null;
  /** What happened to it. */
  incidentEvents: readonly EventContent[];
  /** What the monitor depends on, nearest first. */
  ancestors: readonly Ancestor[];
  /** How many monitors depend on it, if it is down, and not because of others. */
  dependents: number;
};

/** The events of a change, that of the monitor first. `causedBy`: what the monitor depends on and is down. */
export function eventsOf(
  { monitor, effect, incident, incidentEvents }: MonitorChange,
  causedBy: Cause | null,
): EventContent[] {
  const own = monitorEvent(monitor, effect, incident, causedBy);
  const others = incidentEvents.map((event) =>
    event.event === 'incident.created' ? { ...event, causedBy } : event,
  );
  return own === null ? others : [own, ...others];
}

/** The event of the monitor; null if nobody is notified of the change. */
function monitorEvent(
  { id, name, url, type, ref, tags }: MonitorChange['monitor'],
  effect: StatusEffect,
  incident: MonitorChange['incident'],
  causedBy: Cause | null,
): EventContent | null {
  const monitor = { id, name, url, type, ref, tags };
  const common = { timestamp: new Date(effect.at).toISOString(), monitor };
  const itsIncident = incident && { id: incident.id };
  const { consecutiveFailures, responseTime, statusCode, errorMessage } = effect.details;
  const { region } = effect;
  switch (effect.event) {
    case 'monitor.down':
      if (!incident) throw new Error('a monitor that went down has no incident');
      return {
        event: 'monitor.down',
        ...common,
        incident: { id: incident.id, severity: incident.severity, status: incident.status },
        details: {
          consecutiveFailures,
          errorMessage: errorMessage ?? 'check failed',
          responseTime,
          statusCode,
          region,
        },
        causedBy,
      };
    case 'monitor.up': {
      const downtime = formatDuration(effect.downtimeMs);
      const details = { responseTime: responseTime ?? 0, statusCode, downtime, region };
      return { event: 'monitor.up', ...common, incident: itsIncident, details };
    }
    case 'monitor.degraded':
      return {
        event: 'monitor.degraded',
        ...common,
        incident: itsIncident,
        details: { responseTime, statusCode, errorMessage, region },
        causedBy,
      };
    case null:
      return null;
  }
}
