import type { WebhookEvent } from './message';

/** How urgent an alert is; a test is not. */
export type AlertSeverity = 'critical' | 'major' | 'minor' | 'none';

/** What an event means for a product that keeps alerts open until they are over. */
export type Alert = {
  /** Identifies the alert, from the event that opens it to the one that ends it: one per incident, one per monitor. */
  key: string;
  stage: AlertStage;
  severity: AlertSeverity;
};

/** What an event does to its alert: it opens or updates it, somebody works on it, or it ends. */
export type AlertStage = 'open' | 'acknowledged' | 'over';

/** What an event of any version does to its alert. */
export function stageOf(kind: string): AlertStage {
  if (kind === 'incident.acknowledged') return 'acknowledged';
  return kind === 'monitor.up' || kind === 'incident.resolved' ? 'over' : 'open';
}

/** The alert that an event opens, updates, acknowledges or ends. */
export function toAlert(event: WebhookEvent): Alert {
  return { ...identify(event), stage: stageOf(event.event) };
}

function identify(event: WebhookEvent): Pick<Alert, 'key' | 'severity'> {
  switch (event.event) {
    case 'webhook.test':
      return { key: event.webhook.id, severity: 'none' };
    case 'monitor.down':
      return { key: event.monitor.id, severity: event.incident.severity };
    case 'monitor.degraded':
      return { key: event.monitor.id, severity: 'minor' };
    case 'monitor.up':
      return { key: event.monitor.id, severity: 'none' };
    case 'incident.created':
    case 'incident.updated':
      return { key: event.incident.id, severity: event.incident.severity };
    case 'incident.acknowledged':
    case 'incident.resolved':
      return { key: event.incident.id, severity: 'none' };
  }
}
