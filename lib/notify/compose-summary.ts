import type { EventContent } from '@/lib/schemas/webhooks/events';
import { formatStatus } from '@/lib/state/announcements/message-status';
import {
  type NamedChange,
  type StorySummary,
  summarizeStory,
} from '@/lib/state/announcements/stories/story-summary';

/** A change of a story, in order. `isOver`: the incident is resolved. */
export type SummarizedChange = NamedChange & {
  eventIds: string[];
  incidentId: string | null;
  isOver: boolean;
};

export type SummaryEvent = { id: string; payload: EventContent };

/** A message about an incident, and what it says. */
export type IncidentMessage = { key: string; status: string | null };

/** What an endpoint got, and what it is still owed. */
type Standing<Event> = {
  /** The events that it got, each with the key of its message. */
  keys: ReadonlyMap<string, string | null>;
  /** Its last messages about incidents, by the incident. */
  messages: ReadonlyMap<string, IncidentMessage>;
  /** The last event of a change that it is to be sent; null: none. */
  owedEvent: (change: SummarizedChange) => Event | null;
  /** What all changes have in common, as text. */
  cause: string;
};

type Composed<Event> = {
  /** Whose delivery the summary is. */
  event: Event;
  summary: StorySummary & { incidentId: string | null };
  /** Whether some of what it is about is still open. */
  isOpen: boolean;
  messageKey: string | null;
  messageStatus: string;
};

/**
 * Composes the message to an endpoint about all changes that it was sent nothing about; null if there are none. It belongs to the message that was
 * sent first, or for recoveries to the one about the outage that they end. If the first is over and the rest is not, it is a message of
 * its own.
 */
export function composeSummary<Event extends SummaryEvent>(
  changes: readonly SummarizedChange[],
  { keys, messages, owedEvent, cause }: Standing<Event>,
): Composed<Event> | null {
  const hasHeard = ({ eventIds }: SummarizedChange) => eventIds.some((id) => keys.has(id));
  const heard = changes.find(hasHeard);
  const first = heard ? { ...heard, isOver: hasRecovered(heard) } : null;
  const owed = changes.flatMap((change) => {
    const event = hasHeard(change) ? null : owedEvent(change);
    return event === null ? [] : [{ change, event }];
  });
  const [next] = owed;
  const event = owed.at(-1)?.event;
  if (!next || !event) return null;
  const owedChanges = owed.flatMap(({ change }) => listChanges(change));
  const summary = {
    ...summarizeStory(first, owedChanges, cause),
    incidentId: (first ?? next.change).incidentId,
  };
  const firstKey = first?.eventIds.map((id) => keys.get(id)).find((key) => typeof key === 'string');
  const ended = owed.flatMap(({ change }) => messages.get(change.incidentId ?? '')?.key ?? [])[0];
  const earlierKey = summary.status === 'operational' ? (ended ?? firstKey) : firstKey;
  const messageKey = (first?.isOver ? null : earlierKey) ?? event.payload.incident?.id ?? null;
  const known = [...messages.values()].find(({ key }) => key === messageKey)?.status;
  const isOpen = owed.some(({ change: { isOver } }) => !isOver);
  return { event, summary, isOpen, messageKey, messageStatus: statusAfterSummary(summary, known) };
}

const hasRecovered = ({ status, isOver }: SummarizedChange) => isOver && status !== 'operational';

/** A change, and the recovery that followed it. */
function listChanges(change: SummarizedChange): NamedChange[] {
  return hasRecovered(change) ? [change, { ...change, status: 'operational' }] : [change];
}

/** What the message says of its incident from then on. A summary of an outage changes nothing of the first. */
function statusAfterSummary({ status }: StorySummary, known: string | null | undefined): string {
  if (status === 'operational') return formatStatus({ status: 'resolved', severity: 'critical' });
  const severity = status === 'down' ? 'critical' : 'minor';
  return known ?? formatStatus({ status: 'investigating', severity });
}
