import type { WebhookEvent } from './message';

/** How urgent an alert is; a test is not. */
export type AlertSeverity = 'critical' | 'major' | 'minor' | 'none';

/** What an event means for a product that keeps alerts open until they are over. */
export type Alert = {
  /** Identifies the alert, from the event that opens it to the one that ends it: one per incident, one per monitor. */
  key: string;
  isOver: boolean;
  severity: AlertSeverity;
};

/** The events that end an alert. */
export const ENDS: ReadonlySet<string> = new Set(['monitor.up', 'incident.resolved']);

/** The alert that an event opens, updates or ends. */
export function toAlert(event: WebhookEvent): Alert {
  switch (event.event) {
    case 'webhook.test':
      return { key: event.webhook.id, isOver: false, severity: 'none' };
    case 'monitor.down':
      return { key: event.monitor.id, isOver: false, severity: event.incident.severity };
    case 'monitor.degraded':
      return { key: event.monitor.id, isOver: false, severity: 'minor' };
    case 'monitor.up':
      return { key: event.monitor.id, isOver: true, severity: 'none' };
    case 'incident.created':
    case 'incident.updated':
      return { key: event.incident.id, isOver: false, severity: event.incident.severity };
    case 'incident.resolved':
      return { key: event.incident.id, isOver: true, severity: 'none' };
  }
}
