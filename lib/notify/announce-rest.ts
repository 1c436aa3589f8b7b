import { createId } from '@/lib/core/ids';
import type { Transaction } from '@/lib/platform/db/client';
import { formatCause } from '@/lib/state/announcements/stories/story-causes';
import { isReadByPeople } from '@/lib/webhook-formats/formats';
import { hiddenAcknowledgeUrl } from './acknowledge-link';
import { type EventSubscriber, openRoutes, subscribersOf } from './audience';
import type { CreateId, NewDelivery } from './compose-deliveries';
import { composeSummary, type IncidentMessage, type SummarizedChange } from './compose-summary';
import type { EventFacts, Notifying, StoredEvent } from './facts';
import { renderBody } from './message';
import { NOTHING } from './plan';
import { readEvents, readRouting, readSubscribers } from './read-facts';
import { readRegionNames } from './region-names';
import { writePlan } from './write-plan';

export type SummarizedStory = { organizationId: string; causes: string[]; changes: SummarizedChange[] };

/** What an endpoint got: an event, in a message. */
type Got = { eventId: string; endpointId: string; messageKey: string | null };

/**
 * Writes one delivery to each endpoint in which people read what they get, about the changes of a story that it was sent nothing about, if it
 * subscribes to them and its rules match. It is in the message that was sent first, and is the delivery of the last of their events.
 * Takes a fixed number of statements.
 */
export async function announceRest(
  tx: Transaction,
  { appUrl, mail }: Notifying,
  story: SummarizedStory,
  now: Date,
): Promise<void> {
  const endpoints = await readSubscribers(tx, [story.organizationId]);
  const readers = endpoints.filter(({ format }) => isReadByPeople(format));
  if (readers.length === 0) return;
  const eventIds = story.changes.flatMap((change) => change.eventIds);
  const events = await readEvents(tx, eventIds);
  const payloads = [...events.values()].map(({ payload }) => payload);
  const routing = await readRouting(tx, readers, payloads);
  const readerIds = readers.map(({ id }) => id);
  const got = await readDeliveries(tx, eventIds, readerIds);
  const incidentIds = story.changes.flatMap(({ incidentId }) => incidentId ?? []);
  const messages = await readMessages(tx, readerIds, incidentIds);
  const regions = story.causes.map((cause) => cause.split('@')[1] ?? '').filter((region) => region !== '');
  const cause = formatCause(story.causes, await readRegionNames(tx, regions));
  const facts = { ...routing, appUrl, readers, events, got, messages, cause, now };
  await writePlan(tx, { mail }, { ...NOTHING, deliveries: planRest(story, facts, createId) });
}

type RestFacts = Pick<EventFacts, 'tags' | 'standings' | 'appUrl'> & {
  readers: readonly EventSubscriber[];
  events: ReadonlyMap<string, StoredEvent>;
  got: readonly Got[];
  messages: ReadonlyMap<string, ReadonlyMap<string, IncidentMessage>>;
  /** What all changes have in common, as text. */
  cause: string;
  now: Date;
};

/** Decides which readers are sent the rest of a story, and what that says. */
function planRest({ changes }: SummarizedStory, facts: RestFacts, createId: CreateId): NewDelivery[] {
  const { events, now, cause, appUrl } = facts;
  const route = openRoutes(facts);
  return facts.readers.flatMap((endpoint) => {
    const own = { subscribers: new Map([[endpoint.organizationId, [endpoint]]]) };
    const isOwed = (event: StoredEvent) => route(event, subscribersOf(event, own), now).length > 0;
    const composed = composeSummary(changes, {
      keys: new Map(
        facts.got.flatMap(({ endpointId, eventId, messageKey }) =>
          endpointId === endpoint.id ? [[eventId, messageKey]] : [],
        ),
      ),
      messages: facts.messages.get(endpoint.id) ?? new Map(),
      owedEvent: ({ eventIds }) => eventIds.flatMap((id) => events.get(id) ?? []).findLast(isOwed) ?? null,
      cause,
    });
    if (composed === null) return [];
    const { event, summary, isOpen, ...message } = composed;
    const id = createId('delivery');
    const isOffered = isOpen && endpoint.acknowledgeLinks && event.payload.incident !== null;
    const acknowledgeUrl = isOffered ? hiddenAcknowledgeUrl(appUrl, id, 'story') : null;
    return {
      id,
      organizationId: event.organizationId,
      eventId: event.id,
      endpointId: endpoint.id,
      isEnabled: endpoint.enabled,
      at: now,
      body: renderBody(endpoint.format, { ...event.payload, story: summary, acknowledgeUrl }, appUrl),
      format: null,
      ...message,
    };
  });
}

/** The last message of each endpoint about incidents, and what it says, by endpoint and incident. */
async function readMessages(
  tx: Transaction,
  endpointIds: readonly string[],
  incidentIds: readonly string[],
): Promise<Map<string, Map<string, IncidentMessage>>> {
  const rows = await tx.$queryRaw<({ endpointId: string; incidentId: string } & IncidentMessage)[]>`
    SELECT DISTINCT ON (endpoint_id, incident_id) endpoint_id AS "endpointId", incident_id AS "incidentId",
           message_key AS key,
           (SELECT message_status FROM delivery AS last
             WHERE last.endpoint_id = delivery.endpoint_id AND last.message_key = delivery.message_key
             ORDER BY number DESC LIMIT 1) AS status
      FROM outbox_event JOIN delivery ON event_id = outbox_event.id
     WHERE incident_id = ANY(${[...incidentIds]}) AND endpoint_id = ANY(${[...endpointIds]}) AND message_key IS NOT NULL
     ORDER BY endpoint_id, incident_id, number DESC`;
  const messages = new Map<string, Map<string, IncidentMessage>>();
  for (const { endpointId, incidentId, key, status } of rows) {
    const own = messages.get(endpointId) ?? new Map<string, IncidentMessage>();
    messages.set(endpointId, own.set(incidentId, { key, status }));
  }
  return messages;
}

function readDeliveries(
  tx: Transaction,
  eventIds: readonly string[],
  endpointIds: readonly string[],
): Promise<Got[]> {
  return tx.$queryRaw<Got[]>`
    SELECT event_id AS "eventId", endpoint_id AS "endpointId", message_key AS "messageKey"
      FROM delivery WHERE event_id = ANY(${[...eventIds]}) AND endpoint_id = ANY(${[...endpointIds]}) ORDER BY number`;
}
