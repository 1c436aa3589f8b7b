import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { DeliveryStatus } from '@/lib/platform/db/generated/enums';
import type { Cause } from '@/lib/schemas/webhooks/events';
import { eventsAbout, mailsAbout } from './notified-queries';

/** What an endpoint has received of an incident: its newest event. `host` is null once the endpoint is deleted. */
export type NotifiedEndpoint = {
  id: string;
  description: string | null;
  host: string | null;
  event: string;
  status: DeliveryStatus;
  attempts: number;
  settledAt: Date | null;
};

/** An email about an incident to a member. */
export type NotifiedMember = { recipient: string; sentAt: Date | null; error: string | null };

export type Notified = {
  endpoints: NotifiedEndpoint[];
  members: NotifiedMember[];
  /** The monitor whose outage kept people from being notified; null: none did. */
  suppressedBy: Cause | null;
};

const MAX_SHOWN = 50;

/** Who was notified of an incident that a monitor opened, in three queries. Empty for incidents of other organizations. Throws FORBIDDEN. */
export async function readNotified(
  ctx: OrganizationContext,
  { id, createdAt }: { id: string; createdAt: Date },
): Promise<Notified> {
  requirePermission(ctx, 'delivery.read');
  const { db, organizationId } = ctx;
  const [rows, members, causes] = await Promise.all([
    db.$queryRaw<(Omit<NotifiedEndpoint, 'host'> & { url: string | null })[]>`
      SELECT DISTINCT ON (delivery.endpoint_id) delivery.endpoint_id AS id, nullif(description, '') AS description, url,
             event.kind AS event, delivery.status::text AS status, attempts, settled_at AS "settledAt"
        FROM ${eventsAbout(organizationId, { id, createdAt })} AS event
        JOIN delivery ON delivery.event_id = event.id
        LEFT JOIN webhook_endpoint AS endpoint ON endpoint.id = delivery.endpoint_id
       ORDER BY delivery.endpoint_id, occurred_at DESC, event.kind LIKE 'monitor.%' DESC LIMIT ${MAX_SHOWN}`,
    db.$queryRaw<NotifiedMember[]>`
      SELECT DISTINCT ON (recipient) recipient, sent_at AS "sentAt", mail.error
        FROM ${mailsAbout(organizationId, id)}
       ORDER BY recipient, mail.created_at DESC LIMIT ${MAX_SHOWN}`,
    db.$queryRaw<Cause[]>`
      SELECT caused_by_id AS id, caused_by_name AS name FROM held_announcement
       WHERE incident_id = ${id} AND organization_id = ${organizationId} AND caused_by_id IS NOT NULL
       ORDER BY held_announcement.id DESC LIMIT 1`,
  ]);
  const endpoints = rows.map(({ url, ...row }) => ({
    ...row,
    host: url === null ? null : new URL(url).host,
  }));
  return { endpoints, members, suppressedBy: causes[0] ?? null };
}
