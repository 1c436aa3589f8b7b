import { clip, clipLine } from './clip';
import { type Message, toMessage, type WebhookEvent } from './message';

const MAX_TEXT = 5000;
const MAX_NAME = 200;
/** Alertmanager resolves an alert by itself at its end, or after five minutes without one. */
const YEAR_MS = 365 * 86_400_000;
const TEST_MS = 5 * 60_000;

const SEVERITIES = ['minor', 'major', 'critical'] as const;
const STATES = ['down', 'degraded'] as const;

type Labels = Record<string, string>;
type Alert = {
  labels: Labels;
  annotations: Record<string, string>;
  startsAt?: string;
  endsAt: string;
  generatorURL?: string;
};

/**
 * The body for `/api/v2/alerts` of Alertmanager. Labels identify an alert, so these hold nothing that can change, such as names,
 * and an event also ends the alerts that it replaces: a monitor that is down is not degraded, and an incident has one severity. Ends of
 * alerts that are not open are ignored there.
 */
export function renderAlertmanager(event: WebhookEvent, appUrl: string | null): Alert[] {
  const message = toMessage(event, appUrl);
  if (event.event === 'webhook.test') {
    const labels = { alertname: 'PharosTest', endpoint_id: event.webhook.id };
    return [fire(labels, message, TEST_MS)];
  }
  if ('monitor' in event) {
    const { id } = event.monitor;
    const state = event.event === 'monitor.up' ? null : event.event === 'monitor.down' ? 'down' : 'degraded';
    return STATES.map((one) => {
      const alertname = one === 'down' ? 'MonitorDown' : 'MonitorDegraded';
      const labels = { alertname, severity: one === 'down' ? 'critical' : 'warning', monitor_id: id };
      return one === state ? fire(labels, message) : end(labels, message);
    });
  }
  const { id, severity } = event.incident;
  const open = event.event === 'incident.resolved' ? null : severity;
  return SEVERITIES.map((one) => {
    const labels = { alertname: 'Incident', severity: one, incident_id: id };
    return one === open ? fire(labels, message) : end(labels, message);
  });
}

function fire(labels: Labels, message: Message, lifetimeMs = YEAR_MS): Alert {
  const { at, link, title, text, facts } = message;
  const details = facts.map(({ label, value }) => `${label}: ${line(value)}`);
  return {
    labels,
    annotations: {
      summary: line(title),
      description: clip([text, ...details].filter((part) => part !== '').join('\n'), MAX_TEXT),
    },
    startsAt: at.toISOString(),
    endsAt: new Date(at.getTime() + lifetimeMs).toISOString(),
    ...(link ? { generatorURL: link.url } : {}),
  };
}

/** Without a start, which is the one of the alert that ends. */
function end(labels: Labels, { at, title }: Message): Alert {
  return { labels, annotations: { summary: line(title) }, endsAt: at.toISOString() };
}

function line(text: string): string {
  return clipLine(text, MAX_NAME);
}
