import type { TestPayload } from '@/lib/schemas/delivery';
import type { EventPayload } from '@/lib/schemas/events';

/** The body of a delivery in the standard format: what a message tells of. */
export type Told = EventPayload | TestPayload;

/** How bad it is; each product has colours for it. */
export type Tone = 'good' | 'slow' | 'bad' | 'neutral';

/** What a message says, whatever product shows it. Nothing in it is escaped or cut. */
export type Message = {
  tone: Tone;
  title: string;
  /** A sentence or a few, with line breaks; empty: there is nothing more to say. */
  text: string;
  /** At most five. The labels are ours. */
  facts: { label: string; value: string }[];
  /** Where the dashboard says more; null: its address is not known. */
  link: { label: string; url: string } | null;
  /** When it occurred. */
  at: Date;
};

type MonitorEvent = Extract<EventPayload, { monitor: object }>;
type IncidentEvent = Exclude<EventPayload, MonitorEvent>;
type Said = Pick<Message, 'tone' | 'title' | 'text' | 'facts'>;

const SEVERITY_TONES = { minor: 'slow', major: 'bad', critical: 'bad' } as const;

/** Puts an event, or a test, into words. `appUrl` is the dashboard's address, null when it is not known. */
export function describeTold(told: Told, appUrl: string | null): Message {
  const at = new Date(told.timestamp);
  if (told.event === 'webhook.test') {
    const text = 'This endpoint works. The events that it subscribed to will look like this.';
    const link = linkTo('Open the endpoint', appUrl, `/notifications/${told.webhook.id}`);
    return { tone: 'neutral', title: 'Test of a webhook endpoint', text, facts: [], link, at };
  }
  if ('monitor' in told) {
    const link = linkTo('Open the monitor', appUrl, `/monitors/${told.monitor.id}`);
    return { ...describeMonitor(told), link, at };
  }
  const link = linkTo('Open the incident', appUrl, `/incidents/${told.incident.id}`);
  return { ...describeIncident(told), link, at };
}

function linkTo(label: string, appUrl: string | null, path: string): Message['link'] {
  return appUrl === null ? null : { label, url: appUrl + path };
}

function describeMonitor(told: MonitorEvent): Said {
  const { name, url } = told.monitor;
  const { region, responseTime, statusCode } = told.details;
  const facts = [
    { label: 'Address', value: url },
    { label: 'Region', value: region },
    ...(statusCode === null ? [] : [{ label: 'HTTP status', value: String(statusCode) }]),
    ...(responseTime === null ? [] : [{ label: 'Response time', value: `${responseTime} ms` }]),
  ];
  switch (told.event) {
    case 'monitor.down': {
      const failures = { label: 'Failures in a row', value: String(told.details.consecutiveFailures) };
      const text = told.details.errorMessage;
      return { tone: 'bad', title: `${name} is down`, text, facts: [...facts, failures] };
    }
    case 'monitor.degraded':
      return { tone: 'slow', title: `${name} is degraded`, text: told.details.errorMessage ?? '', facts };
    case 'monitor.up': {
      const { downtime } = told.details;
      const text = downtime === '0s' ? '' : `It was down for ${downtime}.`;
      return { tone: 'good', title: `${name} is operational again`, text, facts };
    }
  }
}

function describeIncident(told: IncidentEvent): Said {
  const { title, description, severity, status, affectedMonitors } = told.incident;
  const severityFact = { label: 'Severity', value: severity };
  const monitors = { label: 'Affected monitors', value: String(affectedMonitors.length) };
  switch (told.event) {
    case 'incident.created': {
      const facts = [severityFact, { label: 'Status', value: status }, monitors];
      return { tone: SEVERITY_TONES[severity], title: `New incident: ${title}`, text: description, facts };
    }
    case 'incident.updated': {
      const { previousStatus, message } = told.incident;
      const change = { label: 'Status', value: `${previousStatus} → ${status}` };
      const facts = [severityFact, change, monitors];
      return { tone: SEVERITY_TONES[severity], title: `Incident updated: ${title}`, text: message, facts };
    }
    case 'incident.resolved': {
      const text = `It was open for ${told.incident.duration}.`;
      return { tone: 'good', title: `Incident resolved: ${title}`, text, facts: [severityFact, monitors] };
    }
  }
}
