import type { MonitorType } from '@/lib/checks/types';
import { formatDuration } from '@/lib/core/time/duration';
import type { Incident } from '@/lib/platform/db/generated/client';
import type { EventPayload } from '@/lib/schemas/webhooks/events';
import type { StatusEffect } from '@/lib/state/types';

type Shown = { id: string; name: string; url: string; type: MonitorType };

/** The event of a status change; null if nobody is notified. `incident`: the automatic one afterwards. */
export function monitorEvent(
  { id, name, url, type }: Shown,
  effect: StatusEffect,
  incident: Pick<Incident, 'id' | 'severity' | 'status'> | null,
): EventPayload | null {
  const common = { timestamp: new Date(effect.at).toISOString(), monitor: { id, name, url, type } };
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
      };
    case 'monitor.up': {
      const downtime = formatDuration(effect.downtimeMs);
      const details = { responseTime: responseTime ?? 0, statusCode, downtime, region };
      return { event: 'monitor.up', ...common, details };
    }
    case 'monitor.degraded':
      return {
        event: 'monitor.degraded',
        ...common,
        details: { responseTime, statusCode, errorMessage, region },
      };
    case null:
      return null;
  }
}
