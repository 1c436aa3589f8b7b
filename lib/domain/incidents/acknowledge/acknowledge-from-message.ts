import { DomainError, invalidState } from '@/lib/core/errors';
import type { Actor, OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import { readAcknowledgeToken } from '@/lib/domain/webhooks/messages/acknowledge-link';
import { formatReaders } from '@/lib/schemas/webhooks/reader-names';
import { type LinkedIncident, NO_SUCH_LINK } from './acknowledge-by-link';
import { writeAcknowledgement } from './acknowledge-incident';

/** The incident of a link in a message. */
export type MessageIncident = LinkedIncident & {
  /** Where the message was read, such as `Slack (#ops)`. */
  readers: string;
  /** Whether it would be acknowledged by the visitor, a member, and not by somebody among the readers. */
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
 * The incident of a link in a message. Throws NOT_FOUND for a link that is not valid, or no longer: it expired, its endpoint was deleted or
 * has links turned off, or its incident was deleted.
 */
export async function readMessageIncident(
  services: Services,
  token: string,
  { userId }: Pick<Visit, 'userId'>,
): Promise<MessageIncident> {
  const row = await readRow(services, token);
  const { id, title, isResolved, acknowledgedBy, isUsed } = row;
  const isMember = (await chooseActor(services, row, userId)).kind === 'user';
  return { id, title, isResolved, acknowledgedBy, isUsed, readers: formatReaders(row), isMember };
}

/** Whether the link still does something. Unlike one of a member, it does not replace who works on the incident. */
export function isOffered({ isResolved, isUsed, acknowledgedBy }: LinkedIncident): boolean {
  return !isResolved && !isUsed && acknowledgedBy === null;
}

/**
 * Acknowledges the incident of a link in a message, once: as the member who is signed in, otherwise as somebody who reads the messages of its
 * endpoint. Throws NOT_FOUND as above, and VALIDATION_ERROR if there is nothing to acknowledge.
 */
export async function acknowledgeFromMessage(
  services: Services,
  token: string,
  { userId, address }: Visit,
): Promise<void> {
  const row = await readRow(services, token);
  if (!isOffered(row)) throw NOTHING_LEFT;
  const { id, deliveryId, organizationId } = row;
  const actor = await chooseActor(services, row, userId);
  const ctx: OrganizationContext = { ...services, organizationId, actor, address };
  await services.db.$transaction(async (tx) => {
    const { count } = await tx.delivery.updateMany({
      where: { id: deliveryId, linkUsedAt: null },
      data: { linkUsedAt: services.clock.now() },
    });
    if (count > 0) await writeAcknowledgement(tx, ctx, id, true);
  });
}

const NOTHING_LEFT = invalidState('This link was already used, or the incident is acknowledged or resolved.');

/** The member with this ID if they may acknowledge, otherwise the readers of the endpoint. */
async function chooseActor({ db }: Services, row: Row, userId: string | null): Promise<Actor> {
  const { organizationId, webhookId } = row;
  const member = userId && (await db.membership.findFirst({ where: { userId, organizationId } }));
  const actor = member && { kind: 'user' as const, userId: member.userId, role: member.role };
  if (actor && permits({ actor }, 'incident.acknowledge')) return actor;
  return { kind: 'endpoint', webhookId, readers: formatReaders(row) };
}

async function readRow({ db, keyring, clock }: Services, token: string): Promise<Row> {
  const deliveryId = readAcknowledgeToken(keyring, token, clock.now());
  const [row] =
    deliveryId === null
      ? []
      : await db.$queryRaw<Row[]>`
          SELECT incident.id, title, resolved_at IS NOT NULL AS "isResolved", acknowledged_by AS "acknowledgedBy",
                 link_used_at IS NOT NULL AS "isUsed", delivery.id AS "deliveryId", incident.organization_id AS "organizationId",
                 endpoint.id AS "webhookId", endpoint.format::text AS format, endpoint.description
            FROM delivery
            JOIN outbox_event AS event ON event.id = event_id
            JOIN incident ON incident.id = incident_id AND incident.organization_id = delivery.organization_id
            JOIN webhook_endpoint AS endpoint ON endpoint.id = endpoint_id AND endpoint.organization_id = delivery.organization_id
           WHERE delivery.id = ${deliveryId} AND acknowledge_links`;
  if (row === undefined) throw new DomainError('NOT_FOUND', NO_SUCH_LINK);
  return row;
}
