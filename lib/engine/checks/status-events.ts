import type { MonitorType } from '@/lib/checks/types';
import { formatDuration } from '@/lib/core/time/duration';
import type { Incident } from '@/lib/platform/db/generated/client';
import type { Cause, EventContent } from '@/lib/schemas/webhooks/events';
import type { StatusEffect } from '@/lib/state/types';

type Shown = {
  id: string;
  name: string;
  url: string;
  type: MonitorType;
  ref: string | null;
  tags: string[];
};

/** The event of a status change; null if nobody is notified. `incident`: the automatic one afterwards. `causedBy`: what it depends on and is down. */
export function monitorEvent(
  { id, name, url, type, ref, tags }: Shown,
  effect: StatusEffect,
  incident: Pick<Incident, 'id' | 'severity' | 'status'> | null,
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
