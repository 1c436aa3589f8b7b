import { groupBy } from '@/lib/core/groups';
import { eventsAbout, mailsAbout } from '@/lib/domain/incidents/notified-queries';
import type { Scope, SentDelivery, SentEmail, TimelineEntry } from './timeline-entry';

type Notified = { id: string; createdAt: Date };

const MAX_SHOWN = 200;

type DeliveryRow = Omit<SentDelivery, 'host'> & {
  eventId: string;
  event: string;
  at: Date;
  url: string | null;
};

/** The events of an incident and where each was sent, in one statement. */
export async function readEvents(
  { db, organizationId }: Scope,
  incident: Notified,
): Promise<TimelineEntry[]> {
  const rows = await db.$queryRaw<DeliveryRow[]>`
    SELECT event.id AS "eventId", event.kind AS event, occurred_at AS at,
           delivery.id, nullif(description, '') AS description, url,
           delivery.status::text AS status, attempts, settled_at AS "settledAt"
      FROM ${eventsAbout(organizationId, incident)} AS event
      JOIN delivery ON delivery.event_id = event.id
      LEFT JOIN webhook_endpoint AS endpoint ON endpoint.id = delivery.endpoint_id
     ORDER BY occurred_at, event.id, delivery.number
     LIMIT ${MAX_SHOWN}`;
  const entries = groupBy(rows, ({ eventId }) => eventId).values();
  return [...entries].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const deliveries = own.map(({ id, description, url, status, attempts, settledAt }) => {
      return { id, description, host: url === null ? null : new URL(url).host, status, attempts, settledAt };
    });
    return [{ kind: 'event' as const, id: first.eventId, at: first.at, event: first.event, deliveries }];
  });
}

/** The emails to members about an incident, in one statement. */
export async function readEmails({ db, organizationId }: Scope, { id }: Notified): Promise<TimelineEntry[]> {
  const rows = await db.$queryRaw<(SentEmail & { notice: string; at: Date })[]>`
    SELECT notice.kind AS notice, mailed_at AS at, recipient, sent_at AS "sentAt", mail.error
      FROM ${mailsAbout(organizationId, id)}
     ORDER BY mailed_at, notice.id, recipient LIMIT ${MAX_SHOWN}`;
  const entries = groupBy(rows, ({ notice, at }) => `${notice} ${at.toISOString()}`);
  return [...entries].flatMap(([id, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const emails = own.map(({ recipient, sentAt, error }) => ({ recipient, sentAt, error }));
    return [{ kind: 'emails' as const, id, at: first.at, notice: first.notice, emails }];
  });
}

/** When an outage of what a monitor depends on kept people from being notified of the incident, in one statement. */
export async function readSuppressions(
  { db, organizationId }: Scope,
  { id }: Notified,
): Promise<TimelineEntry[]> {
  const rows = await db.$queryRaw<{ id: bigint; at: Date; causeId: string; name: string }[]>`
    SELECT id, held_at AS at, caused_by_id AS "causeId", caused_by_name AS name
      FROM held_announcement
     WHERE incident_id = ${id} AND organization_id = ${organizationId} AND caused_by_id IS NOT NULL
     ORDER BY id LIMIT ${MAX_SHOWN}`;
  return rows.map(({ id, at, causeId, name }) => {
    return { kind: 'suppression', id: String(id), at, cause: { id: causeId, name } };
  });
}

/** When the monitor of an incident flapped while the incident was open, in one statement. */
export async function readFlapping(
  { db, organizationId }: Scope,
  { id }: Pick<Notified, 'id'>,
): Promise<TimelineEntry[]> {
  const rows = await db.$queryRaw<
    { id: bigint; at: Date; until: Date | null; monitorId: string; name: string }[]
  >`
    SELECT flapping.id, greatest(since, incident.created_at) AS at, ended_at AS until,
           flapping.monitor_id AS "monitorId", monitor_name AS name
      FROM incident
      JOIN flapping ON flapping.monitor_id = incident.monitor_id
     WHERE incident.id = ${id}
       AND incident.organization_id = ${organizationId}
       AND (ended_at IS NULL OR ended_at >= incident.created_at)
       AND (resolved_at IS NULL OR since <= incident.updated_at)
     ORDER BY flapping.id
     LIMIT ${MAX_SHOWN}`;
  return rows.map(({ id, at, until, monitorId, name }) => {
    return { kind: 'flapping', id: `flapping ${id}`, at, until, monitor: { id: monitorId, name } };
  });
}

/** When status pages began to show an incident because people published it, and emailed their subscribers, in one statement. */
export async function readPublications(
  { db, organizationId }: Scope,
  { id }: Notified,
): Promise<TimelineEntry[]> {
  const rows = await db.$queryRaw<{ at: Date; page: string; event: string | null }[]>`
    SELECT published_at AS at, name AS page, NULL AS event
      FROM incident_publication JOIN status_page ON status_page.id = page_id
     WHERE incident_id = ${id} AND organization_id = ${organizationId} AND NOT hidden
    UNION ALL
    SELECT mailed_at, name, kind
      FROM status_page JOIN page_notice ON page_notice.page_id = status_page.id
     WHERE organization_id = ${organizationId} AND subject_id = ${id} AND mailed_at IS NOT NULL
     ORDER BY at LIMIT ${MAX_SHOWN}`;
  return rows.map(({ at, page, event }) =>
    event === null
      ? { kind: 'publication', id: `${page} ${at.toISOString()}`, at, page }
      : { kind: 'subscribers', id: `${event} ${page} ${at.toISOString()}`, at, page, event },
  );
}
