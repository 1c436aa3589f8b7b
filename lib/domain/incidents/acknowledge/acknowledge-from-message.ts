import { DomainError, invalidState } from '@/lib/core/errors';
import type { Actor, OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import { readAcknowledgeToken } from '@/lib/notify/acknowledge-link';
import { readStoryIncidents } from '@/lib/notify/read-story-incidents';
import { MAX_LINKED_INCIDENTS } from '@/lib/schemas/incidents/acknowledge-link';
import { findFormat } from '@/lib/webhook-formats/formats';
import { type LinkedIncident, NO_SUCH_LINK } from './acknowledge-by-link';
import { writeAcknowledgement } from './acknowledge-incident';

/** What a link in a message acknowledges: one incident, or those of a story. */
export type MessageLink = {
  incidents: LinkedIncident[];
  /** Where the message was read, such as `Slack (#ops)`. */
  readers: string;
  /** Whether they would be acknowledged by the visitor, a member, and not by somebody among the readers. */
  isMember: boolean;
};

type Row = LinkedIncident & {
  deliveryId: string;
  organizationId: string;
  webhookId: string;
  format: string;
  description: string;
};

/** A visitor of the link: who is signed in, if anyone. */
type Visit = { userId: string | null; address: string | null };

/**
 * What a link in a message acknowledges, what is open first. Throws NOT_FOUND for a link that is not valid, or no longer: it expired, its
 * endpoint was deleted or has links turned off, or its incident was deleted.
 */
export async function readMessageLink(
  services: Services,
  token: string,
  { userId }: Pick<Visit, 'userId'>,
): Promise<MessageLink> {
  const rows = await readRows(services, token);
  const isMember = (await chooseActor(services, rows[0], userId)).kind === 'user';
  const incidents = rows.map(({ id, title, isResolved, acknowledgedBy, isUsed }) => {
    return { id, title, isResolved, acknowledgedBy, isUsed };
  });
  return { incidents, readers: formatReaders(rows[0]), isMember };
}

/** Whether the link still does something for an incident. Unlike one of a member, it does not replace who works on it. */
export function isOffered({ isResolved, isUsed, acknowledgedBy }: LinkedIncident): boolean {
  return !isResolved && !isUsed && acknowledgedBy === null;
}

/**
 * Acknowledges the open incidents of a link in a message, once: as the member who is signed in, otherwise as somebody who reads the messages of
 * its endpoint. Throws NOT_FOUND as above, and VALIDATION_ERROR if there is nothing to acknowledge.
 */
export async function acknowledgeFromMessage(
  services: Services,
  token: string,
  { userId, address }: Visit,
): Promise<void> {
  const rows = await readRows(services, token);
  const [first, ...others] = rows.filter(isOffered);
  if (first === undefined) throw NOTHING_LEFT;
  const { deliveryId, organizationId } = first;
  const actor = await chooseActor(services, first, userId);
  const ctx: OrganizationContext = { ...services, organizationId, actor, address };
  const isFirst = await services.db.$transaction(async (tx) => {
    const { count } = await tx.delivery.updateMany({
      where: { id: deliveryId, linkUsedAt: null },
      data: { linkUsedAt: services.clock.now() },
    });
    if (count > 0) await writeAcknowledgement(tx, ctx, first.id, true);
    return count > 0;
  });
  if (!isFirst) return;
  for (const { id } of others) {
    await services.db.$transaction((tx) => writeAcknowledgement(tx, ctx, id, true));
  }
}

const NOTHING_LEFT = invalidState(
  'This link was already used, or the incident is already acknowledged or resolved.',
);

/** Where people read the messages of an endpoint, such as `Slack (#ops)`. */
function formatReaders({ format, description }: Pick<Row, 'format' | 'description'>): string {
  const known = findFormat(format);
  const product = known?.reader === 'people' ? known.label : 'a chat';
  return description === '' ? product : `${product} (${description})`;
}

/** The member with this ID if they may acknowledge, otherwise the readers of the endpoint. */
async function chooseActor({ db }: Services, row: Row, userId: string | null): Promise<Actor> {
  const { organizationId, webhookId } = row;
  const member = userId && (await db.membership.findFirst({ where: { userId, organizationId } }));
  const actor = member && { kind: 'user' as const, userId: member.userId, role: member.role };
  if (actor && permits({ actor }, 'incident.acknowledge')) return actor;
  return { kind: 'endpoint', webhookId, readers: formatReaders(row) };
}

/** At most `MAX_LINKED_INCIDENTS`, what is open first. */
async function readRows({ db, keyring, clock }: Services, token: string): Promise<[Row, ...Row[]]> {
  const link = readAcknowledgeToken(keyring, token, clock.now());
  const others = link?.scope === 'story' ? await readOthers(db, link.deliveryId) : [];
  const [first, ...rest] =
    link === null
      ? []
      : await db.$queryRaw<Row[]>`
          SELECT incident.id, title, resolved_at IS NOT NULL AS "isResolved", acknowledged_by AS "acknowledgedBy",
                 link_used_at IS NOT NULL AS "isUsed", delivery.id AS "deliveryId",
                 incident.organization_id AS "organizationId",
                 endpoint.id AS "webhookId", endpoint.format::text AS format, endpoint.description
            FROM delivery
            JOIN outbox_event AS event ON event.id = event_id
            JOIN webhook_endpoint AS endpoint ON endpoint.id = endpoint_id
                                             AND endpoint.organization_id = delivery.organization_id
            JOIN incident ON incident.organization_id = delivery.organization_id
                         AND (incident.id = incident_id OR incident.id = ANY(${others}))
           WHERE delivery.id = ${link.deliveryId} AND acknowledge_links
           ORDER BY (resolved_at IS NULL AND acknowledged_by IS NULL) DESC, incident.number
           LIMIT ${MAX_LINKED_INCIDENTS}`;
  if (first === undefined) throw new DomainError('NOT_FOUND', NO_SUCH_LINK);
  return [first, ...rest];
}

/** The open incidents of the story that the message of a delivery is about. */
async function readOthers(db: Services['db'], id: string): Promise<string[]> {
  const delivery = await db.delivery.findUnique({
    where: { id },
    select: {
      organizationId: true,
      endpointId: true,
      createdAt: true,
      event: { select: { incidentId: true } },
    },
  });
  const incidentId = delivery?.event.incidentId ?? null;
  if (delivery === null || incidentId === null) return [];
  const { organizationId, endpointId, createdAt: at } = delivery;
  return readStoryIncidents(db, { organizationId, endpointId, incidentId, at });
}
