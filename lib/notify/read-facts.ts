import { groupBy } from '@/lib/core/groups';
import type { Transaction } from '@/lib/platform/db/client';
import type { IncidentSeverity } from '@/lib/platform/db/generated/enums';
import { type EventContent, eventPayloadSchema } from '@/lib/schemas/webhooks/events';
import { storedRulesSchema } from '@/lib/schemas/webhooks/rules';
import { listCauses } from '@/lib/state/announcements/stories/story-causes';
import type { AudienceFacts, EventSubscriber, IncidentStanding, LateEvent, Routed } from './audience';
import { eventsOf, type MonitorChange } from './change';
import type { EventFacts, NotificationFacts, Notifying, StoredEvent } from './facts';
import { isCounted } from './flapping';
import { readChanges } from './flapping-rows';
import { readHeld } from './held-rows';
import type { StoredLateEvent } from './plan';
import { readRegionNames } from './region-names';
import { endedIncidentOf } from './stories';
import { lockStories, readOpenStories, readStoriesOf } from './story-rows';

/**
 * Reads what decides who hears of changes, in a number of statements that does not depend on how many there are. The caller holds the locks
 * of the states of the monitors, has written the ledger and the incidents, and takes no other locks after this one, of the stories.
 */
export async function readNotificationFacts(
  tx: Transaction,
  { appUrl }: Pick<Notifying, 'appUrl'>,
  changes: readonly MonitorChange[],
  now: Date,
): Promise<NotificationFacts> {
  const monitors = changes.map(({ monitor }) => monitor);
  const dependent = monitors.filter(({ dependsOn }) => dependsOn.length > 0).map(({ id }) => id);
  const held = await readHeld(tx, dependent);
  const counted = changes.filter(({ effect }) => isCounted(effect)).map(({ monitor }) => monitor);
  const recent = await readChanges(tx, [...new Set(counted.map(({ id }) => id))], {
    isDependent: counted.some(({ dependsOn }) => dependsOn.length > 0),
    now,
  });
  const stories = await readStoryFacts(tx, changes, now);
  const events = changes.flatMap((change) =>
    eventsOf(change, null).map((payload) => ({
      organizationId: change.monitor.organizationId,
      payload,
    })),
  );
  const eventFacts = await readEventFacts(tx, appUrl, events);
  return { ...eventFacts, now, held, recent, stories };
}

async function readStoryFacts(
  tx: Transaction,
  changes: readonly MonitorChange[],
  now: Date,
): Promise<NotificationFacts['stories']> {
  const joinable = changes.filter(
    (change) =>
      change.effect.event !== null &&
      (endedIncidentOf(change) !== null || listCauses(change.monitor, change.effect).length > 0),
  );
  if (joinable.length === 0) return { open: [], ofIncidents: new Map() };
  const organizationIds = joinable.map(({ monitor }) => monitor.organizationId);
  await lockStories(tx, organizationIds);
  const monitorIds = joinable.map(({ monitor }) => monitor.id);
  const open = await readOpenStories(tx, { organizationIds, monitorIds }, now);
  const ended = joinable.flatMap((change) => endedIncidentOf(change) ?? []);
  return { open, ofIncidents: await readStoriesOf(tx, ended) };
}

/**
 * Reads what decides who is sent events, in at most four statements: endpoints, two more if some of them have rules, and the names of own
 * regions.
 */
export async function readEventFacts(
  tx: Transaction,
  appUrl: string | null,
  events: readonly Routed[],
): Promise<EventFacts> {
  const organizationIds = events.map(({ organizationId }) => organizationId);
  const endpoints = await readSubscribers(tx, organizationIds);
  const subscribers = groupBy(endpoints, ({ organizationId }) => organizationId);
  const routing = await readRouting(
    tx,
    endpoints,
    events.map(({ payload }) => payload),
  );
  const regions = events.flatMap(({ payload }) => ('details' in payload ? [payload.details.region] : []));
  const nameRegion = await readRegionNames(tx, subscribers.size === 0 ? [] : regions);
  return { appUrl, subscribers, ...routing, nameRegion };
}

/** Reads stored events that are to be sent now; those that have expired are left out. Takes one statement. */
export async function readLateEvents(
  tx: Transaction,
  given: readonly LateEvent[],
): Promise<StoredLateEvent[]> {
  const eventIds = given.map(({ id }) => id);
  const keys = given.map(({ flapping }) => flapping?.note?.key ?? null);
  const late = new Map(given.map((event) => [event.id, event]));
  const rows = await tx.$queryRaw<
    { id: string; organizationId: string; payload: string; delivered: string[]; noted: string[] }[]
  >`
    SELECT id, organization_id AS "organizationId", payload,
           ARRAY(SELECT endpoint_id FROM delivery WHERE event_id = outbox_event.id) AS delivered,
           ARRAY(SELECT endpoint_id FROM webhook_endpoint AS endpoint JOIN delivery ON endpoint_id = endpoint.id
                  WHERE endpoint.organization_id = outbox_event.organization_id AND message_key = given.key) AS noted
      FROM unnest(${eventIds}::text[], ${keys}::text[]) AS given (id, key) JOIN outbox_event USING (id) ORDER BY id`;
  return rows.map(({ payload, ...row }) => ({ ...late.get(row.id), ...row, payload: parsePayload(payload) }));
}

/** Stored events by ID, in one statement. Those that have expired are left out. */
export async function readEvents(tx: Transaction, ids: readonly string[]): Promise<Map<string, StoredEvent>> {
  const rows = await tx.$queryRaw<{ id: string; organizationId: string; payload: string }[]>`
    SELECT id, organization_id AS "organizationId", payload FROM outbox_event WHERE id = ANY(${[...ids]})`;
  return new Map(rows.map(({ payload, ...row }) => [row.id, { ...row, payload: parsePayload(payload) }]));
}

function parsePayload(text: string): EventContent {
  const { id: _, ...payload } = eventPayloadSchema.parse(JSON.parse(text));
  return payload;
}

/** The endpoints that were sent something about the earlier incidents of events, by incident. Takes one statement, or none. */
export async function readAlertedEndpoints(
  tx: Transaction,
  events: readonly LateEvent[],
): Promise<ReadonlyMap<string, string[]>> {
  const incidentIds = events.flatMap(({ alertedIncidentId }) => alertedIncidentId ?? []);
  if (incidentIds.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ id: string; notified: string[] }[]>`
    SELECT incident_id AS id, array_agg(DISTINCT endpoint_id) AS notified
      FROM outbox_event JOIN delivery ON event_id = outbox_event.id
     WHERE incident_id = ANY(${[...new Set(incidentIds)]}) GROUP BY incident_id`;
  return new Map(rows.map(({ id, notified }) => [id, notified]));
}

/** Reads what the rules of endpoints need to know of events: two statements, or none if there are no rules. */
export async function readRouting(
  tx: Transaction,
  endpoints: readonly EventSubscriber[],
  payloads: readonly EventContent[],
): Promise<Pick<AudienceFacts, 'tags' | 'standings'>> {
  const ruled = endpoints.filter(({ rules }) => rules.length > 0).map(({ id }) => id);
  if (ruled.length === 0) return { tags: new Map(), standings: new Map() };
  const tags = await readTags(tx, payloads);
  return { tags, standings: await readStandings(tx, payloads, ruled) };
}

/** The endpoints of organizations that can get events, also those that are automatically disabled. Takes one statement. */
export async function readSubscribers(
  tx: Transaction,
  organizationIds: readonly string[],
): Promise<EventSubscriber[]> {
  const rows = await tx.webhookEndpoint.findMany({
    where: {
      organizationId: { in: [...new Set(organizationIds)] },
      OR: [{ enabled: true }, { autoDisabledAt: { not: null } }],
    },
    select: {
      id: true,
      organizationId: true,
      events: true,
      rules: true,
      format: true,
      enabled: true,
      acknowledgeLinks: true,
      credentialsSealed: true,
    },
  });
  return rows.map(({ rules, credentialsSealed, ...row }) => {
    return { ...row, rules: storedRulesSchema.parse(rules), hasCredentials: credentialsSealed !== null };
  });
}

/** The tags of the monitors that incidents affect. */
async function readTags(tx: Transaction, payloads: readonly EventContent[]): Promise<Map<string, string[]>> {
  const ids = payloads.flatMap((payload) => ('monitor' in payload ? [] : payload.incident.affectedMonitors));
  const rows = await tx.$queryRaw<{ id: string; tags: string[] }[]>`
    SELECT id, tags FROM monitor WHERE id = ANY(${[...new Set(ids)]})`;
  return new Map(rows.map(({ id, tags }) => [id, tags]));
}

/** The incidents of events, and which of some endpoints were already sent something about them. */
async function readStandings(
  tx: Transaction,
  payloads: readonly EventContent[],
  endpointIds: readonly string[],
): Promise<Map<string, IncidentStanding>> {
  const ids = payloads.flatMap(({ incident }) => incident?.id ?? []);
  const rows = await tx.$queryRaw<{ id: string; severity: IncidentSeverity | null; notified: string[] }[]>`
    SELECT named.id, severity::text AS severity,
           ARRAY(SELECT DISTINCT endpoint_id FROM outbox_event JOIN delivery ON event_id = outbox_event.id
                  WHERE incident_id = named.id AND endpoint_id = ANY(${[...endpointIds]})) AS notified
      FROM unnest(${[...new Set(ids)]}::text[]) AS named (id) LEFT JOIN incident ON incident.id = named.id`;
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}
