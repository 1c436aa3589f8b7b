import { formatTiming } from '@/lib/core/time/duration';
import type { TestPayload } from '@/lib/schemas/webhooks/delivery';
import type { EventContent } from '@/lib/schemas/webhooks/events';
import {
  type FlappingNote,
  formatFlappingText,
  formatFlappingTitle,
} from '@/lib/state/announcements/flapping-note';
import { formatDependents } from '@/lib/state/announcements/format-dependents';
import { formatRecovery, formatRecoveryOf } from '@/lib/state/announcements/format-recovery';
import type { StorySummary } from '@/lib/state/announcements/stories/story-summary';
import { formatOf, type WebhookFormat } from '@/lib/webhook-formats/formats';
import { type Alert, type Message, stageOf, type Urgency } from '@/lib/webhook-formats/message';

/** What a delivery says, without the ID of its event. */
export type WebhookEvent = (EventContent & Extras) | Omit<TestPayload, 'id'>;

/** What messages say that the event does not. */
type Extras = {
  /** How many monitors depend on the one that it is about, if that is down. */
  dependents?: number;
  /** For how long the automatic incident was open that the recovery of its monitor resolved; none if something else resolved it. */
  recoveredAfter?: string;
  /** The rest of the story that it belongs to, instead of the event. `incidentId`: where that is shown. */
  story?: StorySummary & { incidentId: string | null | undefined };
  /** That its monitor flaps, or how that ended, instead of the event. */
  flapping?: FlappingNote;
  /** Where people acknowledge its incident, or those of its story; null or none: messages do not offer that. */
  acknowledgeUrl?: string | null;
};

type MonitorEvent = Extract<EventContent, { monitor: object }> & Extras;
type IncidentEvent = Exclude<EventContent, { monitor: object }> & Extras;
type Content = Pick<Message, 'tone' | 'title' | 'text' | 'facts'>;

const STATUS_TONES = { operational: 'good', degraded: 'slow', down: 'bad' } as const;
const SEVERITY_TONES = { minor: 'slow', major: 'bad', critical: 'bad' } as const;

/**
 * The exact body for an endpoint's format, without credentials. Null where the payload itself is sent, and for templates, which are rendered
 * when a delivery is sent: they never hold up the change that the event is about.
 */
export function renderBody(name: WebhookFormat, event: WebhookEvent, appUrl: string | null): string | null {
  const format = formatOf(name);
  switch (format.reader) {
    case 'people':
      return JSON.stringify(format.render(toMessage(event, appUrl)));
    case 'alerts':
      return JSON.stringify(format.render(toAlert(event, appUrl)));
    case 'program':
      return null;
  }
}

/** The message for an event or a test. `appUrl` is the URL of the dashboard, null if unknown. */
export function toMessage(event: WebhookEvent, appUrl: string | null): Message {
  return { ...compose(event, appUrl), urgency: urgencyOf(event) };
}

/** The alert that an event opens, updates, acknowledges or ends. */
export function toAlert(event: WebhookEvent, appUrl: string | null): Alert {
  const message = toMessage(event, appUrl);
  return { event: event.event, stage: stageOf(event.event), subject: subjectOf(event), message, appUrl };
}

/** One per monitor, or one per incident. */
function subjectOf(event: WebhookEvent): Alert['subject'] {
  if (event.event === 'webhook.test') return { type: 'test', id: event.webhook.id };
  if ('monitor' in event) {
    const { id, name, tags } = event.monitor;
    return { type: 'monitor', id, name, tags };
  }
  const { id, severity } = event.incident;
  return { type: 'incident', id, severity };
}

function urgencyOf(event: WebhookEvent): Urgency {
  switch (event.event) {
    case 'monitor.down':
    case 'incident.created':
    case 'incident.updated':
      return event.incident.severity;
    case 'monitor.degraded':
      return 'minor';
    case 'webhook.test':
    case 'monitor.up':
    case 'incident.acknowledged':
    case 'incident.resolved':
      return 'none';
  }
}

function compose(event: WebhookEvent, appUrl: string | null): Omit<Message, 'urgency'> {
  const at = new Date(event.timestamp);
  if (event.event === 'webhook.test') {
    const text = 'This channel works. Subscribed events will look like this.';
    const link = linkTo('View channel', appUrl, `/notifications/${event.webhook.id}`);
    return { tone: 'neutral', title: 'Test notification', text, facts: [], link, at };
  }
  const acknowledge = event.acknowledgeUrl ? { label: 'Acknowledge', url: event.acknowledgeUrl } : null;
  if (event.story !== undefined) {
    const { status, title, text, incidentId } = event.story;
    const link = linkTo('View incidents', appUrl, incidentId ? `/incidents/${incidentId}` : '/incidents');
    return { tone: STATUS_TONES[status], title, text, facts: [], link, acknowledge, at };
  }
  if (event.flapping !== undefined) {
    const message = formatFlapping(event.flapping, appUrl);
    return isOpen(event.flapping) ? { ...message, acknowledge } : message;
  }
  if ('monitor' in event) {
    const link = linkTo('View monitor', appUrl, `/monitors/${event.monitor.id}`);
    return { ...formatMonitorEvent(event), link, acknowledge, at };
  }
  const link = linkTo('View incident', appUrl, `/incidents/${event.incident.id}`);
  return { ...formatIncidentEvent(event), link, acknowledge, at };
}

function linkTo(label: string, appUrl: string | null, path: string): Message['link'] {
  return appUrl === null ? null : { label, url: appUrl + path };
}

/** Whether the incident of the last change is still open. Before that, any of them may be over in a minute. */
function isOpen(note: FlappingNote): boolean {
  return note.kind === 'ended' && note.end === 'steady' && note.status !== 'operational';
}

function formatFlapping(note: FlappingNote, appUrl: string | null): Omit<Message, 'urgency'> {
  const { monitor, at } = note;
  return {
    tone: note.kind === 'began' ? 'slow' : note.end === 'steady' ? STATUS_TONES[note.status] : 'neutral',
    title: `${monitor.name} ${formatFlappingTitle(note)}`,
    text: formatFlappingText(note),
    facts: [],
    link: linkTo('View monitor', appUrl, `/monitors/${monitor.id}`),
    at: new Date(at),
  };
}

function formatMonitorEvent(event: MonitorEvent): Content {
  const { name, url } = event.monitor;
  const { region, responseTime, statusCode } = event.details;
  const facts = [
    { label: 'Address', value: url },
    { label: 'Region', value: region },
    ...(statusCode === null ? [] : [{ label: 'HTTP status', value: String(statusCode) }]),
    ...(responseTime === null ? [] : [{ label: 'Response time', value: formatTiming(responseTime) }]),
  ];
  switch (event.event) {
    case 'monitor.down': {
      const failures = { label: 'Consecutive failures', value: String(event.details.consecutiveFailures) };
      const text = event.details.errorMessage;
      return {
        tone: 'bad',
        title: `${name} is down${formatDependents(event.dependents ?? 0)}`,
        text,
        facts: [...facts, failures],
      };
    }
    case 'monitor.degraded':
      return { tone: 'slow', title: `${name} is degraded`, text: event.details.errorMessage ?? '', facts };
    case 'monitor.up': {
      const { downtime } = event.details;
      const title =
        downtime === '0s'
          ? formatRecovery(name, 'degraded', event.recoveredAfter ?? null)
          : formatRecovery(name, 'down', downtime);
      return { tone: 'good', title, text: '', facts };
    }
  }
}

function formatIncidentEvent(event: IncidentEvent): Content {
  const { title, description, severity, status, affectedMonitors } = event.incident;
  const severityFact = { label: 'Severity', value: severity };
  const monitors = { label: 'Affected monitors', value: String(affectedMonitors.length) };
  switch (event.event) {
    case 'incident.created': {
      const facts = [severityFact, { label: 'Status', value: status }, monitors];
      return {
        // One that is recorded after it was over gets no other message.
        tone: status === 'resolved' ? 'good' : SEVERITY_TONES[severity],
        title: `New incident: ${title}${formatDependents(event.dependents ?? 0)}`,
        text: description,
        facts,
      };
    }
    case 'incident.updated': {
      const { previousStatus, message } = event.incident;
      const isSame = previousStatus === status;
      const change = { label: 'Status', value: isSame ? status : `${previousStatus} → ${status}` };
      const facts = [severityFact, change, monitors];
      return { tone: SEVERITY_TONES[severity], title: `Incident updated: ${title}`, text: message, facts };
    }
    case 'incident.acknowledged': {
      const { acknowledgedBy, via } = event;
      const by = acknowledgedBy?.name ?? `someone in ${via ?? 'a chat'}`;
      const text = `Acknowledged by ${by}.`;
      const facts = [severityFact, { label: 'Status', value: status }, monitors];
      return { tone: 'neutral', title: `Incident acknowledged: ${title}`, text, facts };
    }
    case 'incident.resolved': {
      const facts = [severityFact, monitors];
      const recovery = event.recoveredAfter === undefined ? null : formatRecoveryOf(event.incident);
      if (recovery !== null) return { tone: 'good', title: recovery, text: '', facts };
      const text = `It was open for ${event.incident.duration}.`;
      return { tone: 'good', title: `Incident resolved: ${title}`, text, facts };
    }
  }
}
