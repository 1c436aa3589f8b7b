import { ID_PREFIXES } from '@/lib/core/ids';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { FLAPPING } from '@/lib/state/announcements/decide-flapping';
import { parseStatus } from '@/lib/state/announcements/message-status';
import { editableProduct, isReadByPeople } from '@/lib/webhook-formats/formats';
import { noteFor } from './audience';
import { type KnownMessages, placeOf } from './choose-messages';
import type { AddressedEvent } from './compose-deliveries';

/** An incident that an endpoint is to be sent an event about, at a time. */
type AboutIncident = { endpointId: string; incidentId: string; at: Date; isEditable: boolean };

/** A message about an incident; a message about flapping has another key. */
const INCIDENT_PREFIX = `${ID_PREFIXES.incident}_`;
/** What is steady for longer is another outage. */
const CONTINUED_SECONDS = FLAPPING.steadyMs / 1000;

type Row = {
  endpointId: string;
  incidentId: string;
  usual: string | null;
  ownKey: string | null;
  own: string | null;
  isContinued: boolean | null;
  recentKey: string | null;
  recent: string | null;
};

/** What endpoints are to be sent in messages that belong to incidents: not what programs get, and no note about flapping. */
export function listAbout(events: readonly AddressedEvent[]): AboutIncident[] {
  return events.flatMap(({ payload, occurredAt, flapping, endpoints }) => {
    const { incident } = payload;
    if (!incident) return [];
    const readers = endpoints.filter(
      ({ format }) => isReadByPeople(format) && noteFor(format, flapping) === undefined,
    );
    return readers.map(({ id, format, hasCredentials }) => {
      const isEditable = editableProduct(format, hasCredentials) !== null;
      return { endpointId: id, incidentId: incident.id, at: occurredAt, isEditable };
    });
  });
}

/**
 * The messages that what endpoints are to be sent can belong to, by endpoint and incident, with what they say so far, in one statement. A delivery that failed
 * for good says nothing. What `own` and `recent` read is indexed by incident and by monitor, and read only where messages can be edited.
 */
export async function readMessages(
  tx: Transaction,
  events: readonly AddressedEvent[],
): Promise<Map<string, KnownMessages>> {
  const wanted = new Map(listAbout(events).map((each) => [placeOf(each.endpointId, each.incidentId), each]));
  if (wanted.size === 0) return new Map();
  const each = [...wanted.values()];
  const endpointIds = each.map(({ endpointId }) => endpointId);
  const incidentIds = each.map(({ incidentId }) => incidentId);
  const moments = each.map(({ at }) => at);
  const editable = each.map(({ isEditable }) => isEditable);
  const rows = await tx.$queryRaw<Row[]>`
    SELECT wanted.endpoint_id AS "endpointId", wanted.incident_id AS "incidentId", usual.message_status AS usual,
           own.message_key AS "ownKey", own.message_status AS own, own.continued AS "isContinued",
           recent.message_key AS "recentKey", recent.message_status AS recent
      FROM unnest(${endpointIds}::text[], ${incidentIds}::text[], ${moments}::timestamptz[], ${editable}::boolean[])
           AS wanted (endpoint_id, incident_id, at, editable)
      LEFT JOIN incident ON editable AND incident.id = wanted.incident_id AND automatic
      LEFT JOIN LATERAL (${lastSaid(Prisma.sql`wanted.incident_id`)}) AS usual ON TRUE
      LEFT JOIN LATERAL (
        SELECT mine.message_key, last.message_status,
               EXISTS (SELECT FROM delivery AS newer JOIN outbox_event ON outbox_event.id = newer.event_id
                         JOIN incident AS next ON next.id = outbox_event.incident_id
                        WHERE newer.endpoint_id = wanted.endpoint_id AND newer.message_key = mine.message_key
                          AND newer.number > mine.number AND next.id <> incident.id
                          AND next.monitor_id = incident.monitor_id) AS continued
          FROM outbox_event JOIN delivery AS mine ON mine.event_id = outbox_event.id
         CROSS JOIN LATERAL (${lastSaid(Prisma.sql`mine.message_key`)}) AS last
         WHERE outbox_event.incident_id = incident.id AND mine.endpoint_id = wanted.endpoint_id
           AND starts_with(mine.message_key, ${INCIDENT_PREFIX})
         ORDER BY mine.number DESC LIMIT 1) AS own ON TRUE
      LEFT JOIN LATERAL (
        SELECT earlier.message_key, last.message_status
          FROM event_monitor JOIN delivery AS earlier USING (event_id)
         CROSS JOIN LATERAL (${lastSaid(Prisma.sql`earlier.message_key`)}) AS last
         WHERE event_monitor.monitor_id = incident.monitor_id AND earlier.endpoint_id = wanted.endpoint_id
           AND event_monitor.occurred_at > wanted.at - make_interval(secs => ${CONTINUED_SECONDS})
           AND starts_with(earlier.message_key, ${INCIDENT_PREFIX})
         ORDER BY earlier.number DESC LIMIT 1) AS recent ON TRUE`;
  return new Map(
    rows.map(({ endpointId, incidentId, usual, own, ownKey, isContinued, recent, recentKey }) => [
      placeOf(endpointId, incidentId),
      {
        usual: parseStatus(usual),
        own:
          ownKey === null
            ? null
            : { key: ownKey, status: parseStatus(own), isContinued: isContinued === true },
        recent: recentKey === null ? null : { key: recentKey, status: parseStatus(recent) },
      },
    ]),
  );
}

/** What a message of the wanted endpoint says; no row if all its deliveries failed. */
function lastSaid(key: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT message_status FROM delivery
     WHERE endpoint_id = wanted.endpoint_id AND message_key = ${key} AND status <> 'failed'
     ORDER BY number DESC LIMIT 1`;
}
