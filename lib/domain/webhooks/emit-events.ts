import { createId } from '@/lib/core/ids';
import type { Services } from '@/lib/domain/context/services';
import { type NameRegion, readRegionNames } from '@/lib/domain/regions/region-names';
import type { Transaction } from '@/lib/platform/db/client';
import type { WebhookEndpoint } from '@/lib/platform/db/generated/client';
import { notify } from '@/lib/platform/db/listen';
import { type EventContent, eventPayloadSchema } from '@/lib/schemas/webhooks/events';
import { type Rule, storedRulesSchema } from '@/lib/schemas/webhooks/rules';
import { renderBody } from './formats/render-body';
import { hiddenAcknowledgeUrl, offersAcknowledgement } from './messages/acknowledge-link';
import { chooseMessages } from './messages/choose-messages';
import { openRoutes } from './route-events';
import { holdForStories, type StoryHold } from './stories/hold-for-stories';
import { isConcerned, noteFor, shareWhileFlapping, type WhileFlapping } from './while-flapping';

/** An event to send to the webhook endpoints of an organization. */
export type NewEvent = {
  organizationId: string;
  occurredAt: Date;
  payload: EventContent;
  /** Only programs are sent it, thus endpoints with the standard format; `deliverHeld` sends it to the others. */
  isHeld?: boolean;
  /** How many monitors depend on the one that it is about, for products in which people read it. */
  dependents?: number;
  /** The story that it belongs to: those who heard of it get the event later, with the rest. */
  story?: StoryHold;
  /** If the monitor that it is about flaps: who is sent it, and what people get instead. */
  flapping?: WhileFlapping;
};

/** An event that was held, with what `NewEvent` has for those who are sent it now. */
export type HeldEvent = { id: string } & Pick<NewEvent, 'dependents' | 'flapping'>;
/** An endpoint that can get events. */
export type Subscriber = Pick<
  WebhookEndpoint,
  'id' | 'organizationId' | 'events' | 'format' | 'enabled' | 'acknowledgeLinks'
> & { rules: Rule[]; hasCredentials: boolean };
type SubscribedEvent = NewEvent & { id: string; endpoints: Subscriber[] };

/**
 * Writes events and one delivery per endpoint that subscribes to it and whose rules match, in the transaction that caused them: they are
 * sent if and only if it commits. Events that nobody is sent leave no rows. For an automatically disabled endpoint the delivery is written as failed,
 * so that it can be recovered. The exact body is fixed here; later format changes do not affect pending deliveries. Takes a
 * fixed number of statements. Returns the ID of each event, null for one without rows.
 */
export async function emitEvents(
  tx: Transaction,
  { appUrl }: Pick<Services, 'appUrl'>,
  events: readonly NewEvent[],
): Promise<(string | null)[]> {
  if (events.length === 0) return [];
  const endpoints = await readSubscribers(
    tx,
    events.map(({ organizationId }) => organizationId),
  );
  const payloads = events.map(({ payload }) => payload);
  const route = await openRoutes(tx, payloads, endpoints);
  const all = events.map((event) => {
    const subscribed = subscribersOf(event, endpoints);
    const due = subscribed.filter((endpoint) => !event.isHeld || isProgram(endpoint));
    const routed = route(event.payload, shareWhileFlapping(event, due), event.occurredAt);
    // What is held can be sent to any subscriber later.
    const isKept = (event.isHeld || event.flapping ? subscribed : routed).length > 0;
    return { id: createId('event'), ...event, endpoints: routed, isKept };
  });
  const kept = all.filter(({ isKept }) => isKept);
  if (kept.length === 0) return events.map(() => null);
  await insertEvents(tx, kept);
  await insertEventMonitors(tx, kept);
  await insertDeliveries(tx, await nameRegions(tx, holdForStories(kept)), appUrl);
  await notify(tx, 'pharos_deliveries');
  return all.map(({ id, isKept }) => (isKept ? id : null));
}

/**
 * Writes the deliveries of held events, due at `now`, to the endpoints that subscribe to them now, whose rules match now, and that have
 * none; people get a note about flapping even if they got the event. Events that have expired are ignored. Takes a fixed number of
 * statements.
 */
export async function deliverHeld(
  tx: Transaction,
  { appUrl }: Pick<Services, 'appUrl'>,
  given: readonly HeldEvent[],
  now: Date,
): Promise<void> {
  if (given.length === 0) return;
  const eventIds = given.map(({ id }) => id);
  const keys = given.map(({ flapping }) => flapping?.note?.key ?? null);
  const givenById = new Map(given.map((event) => [event.id, event]));
  const held = await tx.$queryRaw<
    { id: string; organizationId: string; payload: string; delivered: string[]; notified: string[] }[]
  >`
    SELECT id, organization_id AS "organizationId", payload,
           ARRAY(SELECT endpoint_id FROM delivery WHERE event_id = outbox_event.id) AS delivered,
           ARRAY(SELECT endpoint_id FROM webhook_endpoint AS endpoint JOIN delivery ON endpoint_id = endpoint.id
                  WHERE endpoint.organization_id = outbox_event.organization_id AND message_key = given.key) AS notified
      FROM unnest(${eventIds}::text[], ${keys}::text[]) AS given (id, key) JOIN outbox_event USING (id) ORDER BY id`;
  const endpoints = await readSubscribers(
    tx,
    held.map(({ organizationId }) => organizationId),
  );
  const parsed = held.map(({ payload: text, ...event }) => {
    const { id: _, ...payload } = eventPayloadSchema.parse(JSON.parse(text));
    const { dependents = 0, flapping } = givenById.get(event.id) ?? {};
    return { ...event, payload, occurredAt: now, dependents, flapping };
  });
  const payloads = parsed.map(({ payload }) => payload);
  const route = await openRoutes(tx, payloads, endpoints);
  const events = parsed.map(({ delivered, notified, ...event }) => {
    const isNew = ({ id, format }: Subscriber) =>
      !delivered.includes(id) || noteFor(format, event.flapping) !== undefined;
    const owed = subscribersOf(event, endpoints).filter(
      (endpoint) => !isProgram(endpoint) && isNew(endpoint),
    );
    const due = shareWhileFlapping(event, owed, notified);
    return { ...event, endpoints: route(event.payload, due, now) };
  });
  await insertDeliveries(tx, await nameRegions(tx, events), appUrl);
  await notify(tx, 'pharos_deliveries');
}

const isProgram = ({ format }: Subscriber) => format === 'standard';

/** The endpoints of organizations that can get events, also those that are automatically disabled. */
export async function readSubscribers(
  tx: Transaction,
  organizationIds: readonly string[],
): Promise<Subscriber[]> {
  const rows = await tx.webhookEndpoint.findMany({
    where: {
      organizationId: { in: [...new Set(organizationIds)] },
      OR: [{ enabled: true }, { autoDisabledAt: { not: null } }],
    },
    select: {
      ...{ id: true, organizationId: true, events: true, rules: true, format: true, enabled: true },
      ...{ acknowledgeLinks: true, credentialsSealed: true },
    },
  });
  return rows.map(({ rules, credentialsSealed, ...row }) => {
    return { ...row, rules: storedRulesSchema.parse(rules), hasCredentials: credentialsSealed !== null };
  });
}

/** The endpoints that subscribe to an event. */
export function subscribersOf(
  { organizationId, payload, flapping }: Pick<NewEvent, 'organizationId' | 'payload' | 'flapping'>,
  endpoints: readonly Subscriber[],
): Subscriber[] {
  return endpoints.filter(
    (endpoint) =>
      endpoint.organizationId === organizationId && isConcerned(endpoint, payload.event, flapping),
  );
}

async function insertEvents(tx: Transaction, events: SubscribedEvent[]): Promise<void> {
  const ids = events.map(({ id }) => id);
  const organizationIds = events.map(({ organizationId }) => organizationId);
  const kinds = events.map(({ payload }) => payload.event);
  const moments = events.map(({ occurredAt }) => occurredAt);
  const payloads = events.map(({ id, payload }) => JSON.stringify({ id, ...payload }));
  const incidentIds = events.map(({ payload }) => payload.incident?.id ?? null);
  await tx.$executeRaw`
    INSERT INTO outbox_event (id, organization_id, kind, occurred_at, payload, incident_id)
    SELECT * FROM unnest(${ids}::text[], ${organizationIds}::text[], ${kinds}::text[], ${moments}::timestamptz[],
                         ${payloads}::text[], ${incidentIds}::text[])`;
}

/** Which monitors the events are about, by which their deliveries are found. */
async function insertEventMonitors(tx: Transaction, events: SubscribedEvent[]): Promise<void> {
  const about = events.flatMap(({ id, occurredAt, payload }) =>
    [...new Set(monitorsOf(payload))].map((monitorId) => ({ id, occurredAt, monitorId })),
  );
  const ids = about.map(({ id }) => id);
  const monitorIds = about.map(({ monitorId }) => monitorId);
  const moments = about.map(({ occurredAt }) => occurredAt);
  await tx.$executeRaw`
    INSERT INTO event_monitor (event_id, monitor_id, occurred_at)
    SELECT * FROM unnest(${ids}::text[], ${monitorIds}::text[], ${moments}::timestamptz[])`;
}

function monitorsOf(payload: EventContent): string[] {
  return 'monitor' in payload ? [payload.monitor.id] : payload.incident.affectedMonitors;
}

/** The events with the names of own regions, for products in which people read them. The standard format has the IDs. */
async function nameRegions(tx: Transaction, events: SubscribedEvent[]): Promise<SubscribedEvent[]> {
  const isRead = events.some(({ endpoints }) => endpoints.some(({ format }) => format !== 'standard'));
  if (!isRead) return events;
  const regions = events.flatMap(({ payload }) => ('details' in payload ? [payload.details.region] : []));
  const nameRegion = await readRegionNames(tx, regions);
  return events.map((event) => ({ ...event, payload: withRegion(event.payload, nameRegion) }));
}

function withRegion(payload: EventContent, nameRegion: NameRegion): EventContent {
  switch (payload.event) {
    case 'monitor.down':
      return { ...payload, details: { ...payload.details, region: nameRegion(payload.details.region) } };
    case 'monitor.degraded':
      return { ...payload, details: { ...payload.details, region: nameRegion(payload.details.region) } };
    case 'monitor.up':
      return { ...payload, details: { ...payload.details, region: nameRegion(payload.details.region) } };
    default:
      return payload;
  }
}

/** Deliveries to enabled endpoints are due immediately; those to automatically disabled ones have failed. */
async function insertDeliveries(tx: Transaction, events: SubscribedEvent[], appUrl: string | null) {
  const owed = await chooseMessages(
    tx,
    events.flatMap((event) => event.endpoints.map((endpoint) => ({ event, endpoint }))),
  );
  const ids = owed.map(() => createId('delivery'));
  const organizationIds = owed.map(({ event }) => event.organizationId);
  const eventIds = owed.map(({ event }) => event.id);
  const moments = owed.map(({ event }) => event.occurredAt);
  const endpointIds = owed.map(({ endpoint }) => endpoint.id);
  const bodies = owed.map(({ event: { payload, dependents, flapping }, endpoint }, place) => {
    const isOffered = endpoint.acknowledgeLinks && offersAcknowledgement(payload);
    const acknowledgeUrl = isOffered ? hiddenAcknowledgeUrl(appUrl, ids[place] ?? '') : null;
    const said = { dependents, acknowledgeUrl, flapping: noteFor(endpoint.format, flapping) };
    return renderBody(endpoint.format, { ...payload, ...said }, appUrl);
  });
  const formats = owed.map(({ endpoint }) => (endpoint.format === 'custom' ? endpoint.format : null));
  const messageKeys = owed.map(({ messageKey }) => messageKey);
  const messageStatuses = owed.map(({ messageStatus }) => messageStatus);
  const enabled = owed.map(({ endpoint }) => endpoint.enabled);
  await tx.$executeRaw`
    INSERT INTO delivery (id, organization_id, event_id, endpoint_id, body, format, message_key, message_status,
           attempts, failures, created_at, status, reason, next_attempt_at, settled_at)
    SELECT id, organization_id, event_id, endpoint_id, body, format, message_key, message_status, 0, 0, at,
           (CASE WHEN enabled THEN 'pending' ELSE 'failed' END)::delivery_status,
           CASE WHEN NOT enabled THEN 'endpoint_disabled' END,
           CASE WHEN enabled THEN at END, CASE WHEN NOT enabled THEN at END
      FROM unnest(${ids}::text[], ${organizationIds}::text[], ${eventIds}::text[], ${moments}::timestamptz[],
                  ${endpointIds}::text[], ${bodies}::text[], ${formats}::text[], ${messageKeys}::text[],
                  ${messageStatuses}::text[], ${enabled}::boolean[])
           AS owed (id, organization_id, event_id, at, endpoint_id, body, format, message_key, message_status, enabled)`;
}
