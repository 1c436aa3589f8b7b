import { clip, clipLine } from '../clip';
import type { Format } from '../format';
import type { Alert, Message } from '../message';

/** Prometheus Alertmanager, which groups monitors itself. */
export const alertmanager = {
  label: 'Alertmanager',
  hint: 'Alerts for Prometheus Alertmanager. The URL ends with /api/v2/alerts.',
  documentation:
    'alerts for Prometheus Alertmanager, with `url` ending in `/api/v2/alerts`. `MonitorDown` (`severity="critical"`) and `MonitorDegraded` (`severity="warning"`) have the label `monitor_id`; `Incident` has `incident_id`, and the severity of the incident. Names are in annotations, because they can change. An event ends the alerts that it replaces. Alerts that nothing ends last a year.',
  group: 'on-call',
  mark: { letters: 'Al', color: '#A8321A' },
  steps: [
    'Find the address of your Alertmanager, such as http://alertmanager:9093.',
    'Add /api/v2/alerts to it: that is the URL.',
    'If it has a private address, have the operator of Pharos allow it with ALLOWED_PRIVATE_CIDRS.',
  ],
  reader: 'alerts',
  events: ['monitors'],
  render: renderAlertmanager,
} as const satisfies Format;

const MAX_TEXT = 5000;
const MAX_NAME = 200;
/** Alertmanager resolves an alert by itself at its end, or after five minutes without one. */
const YEAR_MS = 365 * 86_400_000;
const TEST_MS = 5 * 60_000;

const SEVERITIES = ['minor', 'major', 'critical'] as const;
const STATES = ['down', 'degraded'] as const;

type Labels = Record<string, string>;
type PrometheusAlert = {
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
export function renderAlertmanager({ event, stage, subject, message }: Alert): PrometheusAlert[] {
  const { id } = subject;
  if (subject.type === 'test') {
    const labels = { alertname: 'PharosTest', endpoint_id: id };
    return [fire(labels, message, TEST_MS)];
  }
  if (subject.type === 'monitor') {
    const state = stage === 'over' ? null : event === 'monitor.down' ? 'down' : 'degraded';
    return STATES.map((one) => {
      const alertname = one === 'down' ? 'MonitorDown' : 'MonitorDegraded';
      const labels = { alertname, severity: one === 'down' ? 'critical' : 'warning', monitor_id: id };
      return one === state ? fire(labels, message) : end(labels, message);
    });
  }
  const open = stage === 'over' ? null : subject.severity;
  return SEVERITIES.map((one) => {
    const labels = { alertname: 'Incident', severity: one, incident_id: id };
    return one === open ? fire(labels, message) : end(labels, message);
  });
}

function fire(labels: Labels, message: Message, lifetimeMs = YEAR_MS): PrometheusAlert {
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
function end(labels: Labels, { at, title }: Message): PrometheusAlert {
  return { labels, annotations: { summary: line(title) }, endsAt: at.toISOString() };
}

function line(text: string): string {
  return clipLine(text, MAX_NAME);
}
