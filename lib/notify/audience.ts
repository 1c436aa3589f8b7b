import type { IncidentSeverity } from '@/lib/platform/db/generated/enums';
import type { EventKind } from '@/lib/schemas/webhooks/event-kinds';
import type { EventContent } from '@/lib/schemas/webhooks/events';
import type { Rule } from '@/lib/schemas/webhooks/rules';
import type { FlappingNote } from '@/lib/state/announcements/flapping-note';
import { matchRules, type Subject } from '@/lib/state/announcements/match-rules';
import { formatOf, isReadByPeople, type WebhookFormat } from '@/lib/webhook-formats/formats';
import { stageOf } from '@/lib/webhook-formats/message';

/** An endpoint that can get events. */
export type EventSubscriber = {
  id: string;
  organizationId: string;
  events: string[];
  rules: Rule[];
  format: WebhookFormat;
  enabled: boolean;
  acknowledgeLinks: boolean;
  hasCredentials: boolean;
};

/** What decides who is sent events. */
export type AudienceFacts = {
  /** By organization. */
  subscribers: ReadonlyMap<string, readonly EventSubscriber[]>;
  /** Of the monitors that incidents affect. */
  tags: ReadonlyMap<string, readonly string[]>;
  /** By incident; only of those that rules have to know. */
  standings: ReadonlyMap<string, IncidentStanding>;
};

/** An incident as it is stored, with the endpoints that have rules and were sent something about it. */
export type IncidentStanding = { severity: IncidentSeverity | null; notified: readonly string[] };

/** What becomes of an event of a monitor that flaps. */
export type WhileFlapping = {
  /** What people get instead of the event; null: nothing. */
  note: FlappingNote | null;
  /** Which events products get that keep alerts open until they are over: all, those that end no alert, or none. */
  alerts: 'all' | 'openings' | 'none';
};

/** An event whose endpoints are to be found. */
export type Routed = {
  organizationId: string;
  payload: EventContent;
  /** If the monitor that it is about flaps: who is sent it, and what people get instead. */
  flapping?: WhileFlapping;
};

/** A stored event that is sent now to those who were not sent it when it occurred. */
export type LateEvent = {
  id: string;
  /** How many monitors depend on the one that it is about, if that is down. */
  dependents?: number;
  flapping?: WhileFlapping;
  /** An earlier incident whose alerts this event continues or ends: anyone notified of that one gets the rest, as with its own incident. */
  alertedIncidentId?: string | null;
};

/** The endpoints that subscribe to an event. */
export function subscribersOf(
  event: Routed,
  { subscribers }: Pick<AudienceFacts, 'subscribers'>,
): EventSubscriber[] {
  const own = subscribers.get(event.organizationId) ?? [];
  return own.filter((endpoint) => isConcerned(endpoint, event.payload.event, event.flapping));
}

/**
 * Whether an endpoint is concerned by an event that people get a note instead of: a note is about a monitor, whatever it changed to, so
 * it is for all who get any of its changes. Others only get events that they subscribe to.
 */
export function isConcerned(
  { format, events }: { format: WebhookFormat; events: readonly string[] },
  event: EventKind,
  flapping: WhileFlapping | undefined,
): boolean {
  return events.includes(event) || (flapping !== undefined && isReadByPeople(format));
}

/** Whether an endpoint is sent an event of a monitor that flaps. Programs get every event. */
export function isSentWhileFlapping(
  format: WebhookFormat,
  event: EventKind,
  { note, alerts }: WhileFlapping,
): boolean {
  switch (formatOf(format).reader) {
    case 'program':
      return true;
    case 'people':
      return note !== null;
    case 'alerts':
      return alerts === 'all' || (alerts === 'openings' && stageOf(event) !== 'over');
  }
}

/** What people get instead of an event; undefined: nothing. */
export function noteFor(
  format: WebhookFormat,
  flapping: WhileFlapping | undefined,
): FlappingNote | undefined {
  return isReadByPeople(format) ? (flapping?.note ?? undefined) : undefined;
}

/**
 * Those of the endpoints that are sent an event at a time, by their rules and because its monitor flaps. `noted` were sent the beginning of
 * a note; `knowing` count as notified of the incident.
 */
type Route = (
  event: Routed,
  endpoints: readonly EventSubscriber[],
  at: Date,
  before?: { noted?: readonly string[]; knowing?: readonly string[] },
) => EventSubscriber[];

/** Routes events in the order in which they occurred: who is sent one counts as notified of its incident from then on. */
export function openRoutes({ tags, standings }: Pick<AudienceFacts, 'tags' | 'standings'>): Route {
  /** The memory of this batch: it is not read by anyone else. */
  const notified = new Map<string, Set<string>>();
  return (event, endpoints, at, { noted = [], knowing = [] } = {}) => {
    const incidentId = event.payload.incident?.id ?? '';
    const standing = standings.get(incidentId);
    const known = notified.get(incidentId) ?? new Set(standing?.notified);
    const subject = subjectOf(event.payload, standing?.severity ?? null, tags);
    const sent = hearWhileFlapping(event, endpoints, noted).filter(({ id, rules }) => {
      const knowsIncident = knowing.includes(id) || known.has(id);
      return matchRules(rules, subject, at.getTime(), { knowsIncident }) !== null;
    });
    if (incidentId !== '') notified.set(incidentId, new Set([...known, ...sent.map(({ id }) => id)]));
    return sent;
  };
}

/**
 * Those of the endpoints that hear of an event: all, unless its monitor flaps. A note is about a monitor, whatever it changed to, so the kinds
 * of events in their rules do not matter for it. Who was notified that the monitor flaps is notified of the end.
 */
function hearWhileFlapping(
  { payload, flapping }: Routed,
  endpoints: readonly EventSubscriber[],
  noted: readonly string[],
): readonly EventSubscriber[] {
  if (flapping === undefined) return endpoints;
  const sent = endpoints.filter(({ format }) => isSentWhileFlapping(format, payload.event, flapping));
  return sent.map((endpoint) => {
    if (noteFor(endpoint.format, flapping) === undefined) return endpoint;
    const isKnown = noted.includes(endpoint.id);
    return { ...endpoint, rules: isKnown ? [] : endpoint.rules.map((rule) => ({ ...rule, kinds: [] })) };
  });
}

/** What rules decide about an event. Not every event has the severity of its incident, nor the tags of its monitors. */
function subjectOf(
  payload: EventContent,
  stored: IncidentSeverity | null,
  tags: AudienceFacts['tags'],
): Subject {
  const { incident, event: kind } = payload;
  const severity = incident !== null && 'severity' in incident ? incident.severity : stored;
  if ('monitor' in payload) return { kind, severity, monitors: [payload.monitor] };
  const monitors = payload.incident.affectedMonitors.map((id) => ({ id, tags: tags.get(id) ?? [] }));
  return { kind, severity, monitors };
}
