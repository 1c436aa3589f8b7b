import { createId } from '@/lib/core/ids';
import type { Services } from '@/lib/domain/context/services';
import { readRegionNames } from '@/lib/domain/regions/region-names';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import { formatCause } from '@/lib/state/announcements/stories/story-causes';
import { isReadByPeople } from '@/lib/webhook-formats/formats';
import { renderBody } from '../formats/render-body';
import { hiddenAcknowledgeUrl } from '../messages/acknowledge-link';
import { openRoutes } from '../routing/route-events';
import { readSubscribers, type Subscriber, subscribersOf } from '../routing/subscribers';
import { composeSummary, type IncidentMessage, type SummarizedChange } from './compose-summary';
import { readEvents, type StoredEvent } from './read-events';

export type SummarizedStory = { organizationId: string; causes: string[]; changes: SummarizedChange[] };

/** What an endpoint got: an event, in a message. */
type Got = { eventId: string; endpointId: string; messageKey: string | null };

/**
 * Writes one delivery to each endpoint in which people read what they get, about the changes of a story that it was sent nothing about, if it
 * subscribes to them and its rules match. It is in the message that was sent first, and is the delivery of the last of their events.
 * Takes a fixed number of statements.
 */
export async function deliverSummaries(
  tx: Transaction,
  { appUrl }: Pick<Services, 'appUrl'>,
  story: SummarizedStory,
  now: Date,
): Promise<void> {
  const all = await readSubscribers(tx, [story.organizationId]);
  const readers = all.filter(({ format }) => isReadByPeople(format));
  if (readers.length === 0) return;
  const eventIds = story.changes.flatMap((change) => change.eventIds);
  const events = await readEvents(tx, eventIds);
  const readerIds = readers.map(({ id }) => id);
  const got = await readDeliveries(tx, eventIds, readerIds);
  const incidentIds = story.changes.flatMap(({ incidentId }) => incidentId ?? []);
  const messages = await readMessages(tx, readerIds, incidentIds);
  const route = await openRoutes(
    tx,
    [...events.values()].map(({ payload }) => payload),
    readers,
  );
  const regions = story.causes.map((cause) => cause.split('@')[1] ?? '').filter((region) => region !== '');
  const cause = formatCause(story.causes, await readRegionNames(tx, regions));
  const isOwed = (endpoint: Subscriber, event: StoredEvent) =>
    route(event.payload, subscribersOf(event, [endpoint]), now).length > 0;
  const summaries = readers.flatMap((endpoint) => {
    const owedEvent = ({ eventIds: own }: SummarizedChange) =>
      own.flatMap((id) => events.get(id) ?? []).findLast((event) => isOwed(endpoint, event)) ?? null;
    const composed = composeSummary(story.changes, {
      keys: new Map(
        got.flatMap(({ endpointId, eventId, messageKey }) =>
          endpointId === endpoint.id ? [[eventId, messageKey]] : [],
        ),
      ),
      messages: messages.get(endpoint.id) ?? new Map(),
      owedEvent,
      cause,
    });
    if (composed === null) return [];
    const { event, summary, isOpen, ...message } = composed;
    const id = createId('delivery');
    const isOffered = isOpen && endpoint.acknowledgeLinks && event.payload.incident !== null;
    const acknowledgeUrl = isOffered ? hiddenAcknowledgeUrl(appUrl, id, 'story') : null;
    const body = renderBody(endpoint.format, { ...event.payload, story: summary, acknowledgeUrl }, appUrl);
    return [{ id, endpoint, eventId: event.id, body, ...message }];
  });
  await insertSummaries(tx, story.organizationId, summaries, now);
  await notify(tx, 'pharos_deliveries');
}

/** The last message of each endpoint about incidents, and what it says, by endpoint and incident. */
async function readMessages(
  tx: Transaction,
  endpointIds: readonly string[],
  incidentIds: readonly string[],
): Promise<Map<string, Map<string, IncidentMessage>>> {
  const rows = await tx.$queryRaw<({ endpointId: string; incidentId: string } & IncidentMessage)[]>`
    SELECT DISTINCT ON (endpoint_id, incident_id) endpoint_id AS "endpointId", incident_id AS "incidentId",
           message_key AS key, (SELECT message_status FROM delivery AS last
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

type Summary = {
  id: string;
  endpoint: Pick<Subscriber, 'id' | 'enabled'>;
  eventId: string;
  body: string | null;
  messageKey: string | null;
  messageStatus: string | null;
};

/** As deliveries of events: due at once, or failed if the endpoint is automatically disabled. */
async function insertSummaries(
  tx: Transaction,
  organizationId: string,
  summaries: readonly Summary[],
  now: Date,
): Promise<void> {
  const ids = summaries.map(({ id }) => id);
  const eventIds = summaries.map(({ eventId }) => eventId);
  const endpointIds = summaries.map(({ endpoint }) => endpoint.id);
  const bodies = summaries.map(({ body }) => body);
  const messageKeys = summaries.map(({ messageKey }) => messageKey);
  const messageStatuses = summaries.map(({ messageStatus }) => messageStatus);
  const enabled = summaries.map(({ endpoint }) => endpoint.enabled);
  await tx.$executeRaw`
    INSERT INTO delivery (id, organization_id, event_id, endpoint_id, body, message_key, message_status, attempts, failures,
           created_at, status, reason, next_attempt_at, settled_at)
    SELECT id, ${organizationId}, event_id, endpoint_id, body, message_key, message_status, 0, 0, ${now},
           (CASE WHEN enabled THEN 'pending' ELSE 'failed' END)::delivery_status,
           CASE WHEN NOT enabled THEN 'endpoint_disabled' END,
           CASE WHEN enabled THEN ${now}::timestamptz END, CASE WHEN NOT enabled THEN ${now}::timestamptz END
      FROM unnest(${ids}::text[], ${eventIds}::text[], ${endpointIds}::text[], ${bodies}::text[], ${messageKeys}::text[],
                  ${messageStatuses}::text[], ${enabled}::boolean[])
           AS owed (id, event_id, endpoint_id, body, message_key, message_status, enabled)`;
}
