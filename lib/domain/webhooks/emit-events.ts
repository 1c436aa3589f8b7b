import { createId } from '@/lib/core/ids';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import { type EventContent, eventPayloadSchema } from '@/lib/schemas/webhooks/events';
import { isSentAtOnce } from '@/lib/webhook-formats/formats';
import { insertDeliveries, nameRegions } from './insert-deliveries';
import { openRoutes, readAlertedEndpoints } from './routing/route-events';
import { readSubscribers, type SubscribedEvent, type Subscriber, subscribersOf } from './routing/subscribers';
import { holdForStories, type StoryHold } from './stories/hold-for-stories';
import { noteFor, shareWhileFlapping } from './while-flapping';

/** An event to send to the webhook endpoints of an organization. */
export type NewEvent = Omit<SubscribedEvent, 'id' | 'endpoints'> & {
  /** Only those are sent it who get events at once; `deliverHeld` sends it to the others. */
  isHeld?: boolean;
  /** The story that it belongs to: those who heard of it get the event later, with the rest. */
  story?: StoryHold;
};

/** An event that was held, with what `NewEvent` has for those who are sent it now. */
export type HeldEvent = { id: string } & Pick<NewEvent, 'dependents' | 'flapping'> & {
    /** An earlier incident whose alerts this event continues or ends: anyone notified of that one gets the rest, as with its own incident. */
    alertedIncidentId?: string | null;
  };

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
    const due = subscribed.filter((endpoint) => !event.isHeld || isSentAtOnce(endpoint.format));
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
    const { dependents = 0, flapping, alertedIncidentId = null } = givenById.get(event.id) ?? {};
    return { ...event, payload, occurredAt: now, dependents, flapping, alertedIncidentId };
  });
  const payloads = parsed.map(({ payload }) => payload);
  const route = await openRoutes(tx, payloads, endpoints);
  const alerted = await readAlertedEndpoints(
    tx,
    parsed.flatMap(({ alertedIncidentId }) => alertedIncidentId ?? []),
  );
  const events = parsed.map(({ delivered, notified, alertedIncidentId, ...event }) => {
    const isNew = ({ id, format }: Subscriber) =>
      !delivered.includes(id) || noteFor(format, event.flapping) !== undefined;
    const owed = subscribersOf(event, endpoints).filter(
      (endpoint) => !isSentAtOnce(endpoint.format) && isNew(endpoint),
    );
    const due = shareWhileFlapping(event, owed, notified);
    const knowing = alerted.get(alertedIncidentId ?? '');
    return { ...event, endpoints: route(event.payload, due, now, knowing) };
  });
  await insertDeliveries(tx, await nameRegions(tx, events), appUrl);
  await notify(tx, 'pharos_deliveries');
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
