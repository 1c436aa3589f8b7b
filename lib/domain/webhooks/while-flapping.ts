import type { EventKind } from '@/lib/schemas/webhooks/event-kinds';
import type { EventContent } from '@/lib/schemas/webhooks/events';
import type { Rule } from '@/lib/schemas/webhooks/rules';
import type { FlappingNote } from '@/lib/state/announcements/flapping-note';
import { formatOf, isReadByPeople, type WebhookFormat } from '@/lib/webhook-formats/formats';
import { stageOf } from '@/lib/webhook-formats/message';

/** What becomes of an event of a monitor that flaps. */
export type WhileFlapping = {
  /** What people get instead of the event; null: nothing. */
  note: FlappingNote | null;
  /** Which events products get that keep alerts open until they are over: all, those that end no alert, or none. */
  alerts: 'all' | 'openings' | 'none';
};

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

type Ruled = { id: string; format: WebhookFormat; rules: Rule[] };

/**
 * Those of the endpoints that are sent an event: all, unless its monitor flaps. A note is about a monitor, whatever it changed to, so the kinds
 * of events in their rules do not matter for it. Who was notified that the monitor flaps is notified of the end.
 */
export function shareWhileFlapping<Endpoint extends Ruled>(
  { payload, flapping }: { payload: EventContent; flapping?: WhileFlapping },
  endpoints: readonly Endpoint[],
  notified: readonly string[] = [],
): Endpoint[] {
  if (flapping === undefined) return [...endpoints];
  const sent = endpoints.filter(({ format }) => isSentWhileFlapping(format, payload.event, flapping));
  return sent.map((endpoint) => {
    if (noteFor(endpoint.format, flapping) === undefined) return endpoint;
    const isKnown = notified.includes(endpoint.id);
    return { ...endpoint, rules: isKnown ? [] : endpoint.rules.map((rule) => ({ ...rule, kinds: [] })) };
  });
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
