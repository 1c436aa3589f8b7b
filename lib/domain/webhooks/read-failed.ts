import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { Prisma } from '@/lib/platform/db/generated/client';

const DAY_MS = 24 * 3_600_000;
/** Older failures are in the log, but nobody has to be reminded of them. */
const NOTABLE_DAYS = 7;

/** How many are counted at most: more is "more than". */
export const COUNTED_AT_MOST = 1000;

/**
 * How many deliveries of the last 7 days failed for good and could be sent again: those of deleted endpoints and tests are
 * left out. Counts no further than `COUNTED_AT_MOST`.
 */
export async function countFailedDeliveries(ctx: OrganizationContext): Promise<number> {
  requirePermission(ctx, 'delivery.read');
  const { db, organizationId, clock } = ctx;
  const since = new Date(clock.now().getTime() - NOTABLE_DAYS * DAY_MS);
  const rows = await db.$queryRaw<{ count: number }[]>(failedCountQuery(organizationId, since));
  return rows[0]?.count ?? 0;
}

/**
 * What an endpoint has missed: how many of its deliveries failed for good, tests left out, and when the oldest was made;
 * null when there are none. Counts no further than `COUNTED_AT_MOST`.
 */
export async function readMissedDeliveries(
  ctx: OrganizationContext,
  endpointId: string,
): Promise<{ count: number; since: Date } | null> {
  requirePermission(ctx, 'delivery.read');
  const { db, organizationId } = ctx;
  const rows = await db.$queryRaw<{ count: number; since: Date | null }[]>`
    SELECT count(*)::int AS count, min(created_at) AS since FROM (
      SELECT delivery.created_at FROM delivery JOIN outbox_event AS event ON event.id = delivery.event_id
       WHERE delivery.organization_id = ${organizationId} AND delivery.status = 'failed'
         AND delivery.endpoint_id = ${endpointId} AND event.kind <> 'webhook.test'
       ORDER BY delivery.created_at, delivery.number LIMIT ${COUNTED_AT_MOST}) AS missed`;
  const { count = 0, since = null } = rows[0] ?? {};
  return since === null ? null : { count, since };
}

/** The statement of `countFailedDeliveries`. */
export function failedCountQuery(organizationId: string, since: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM delivery JOIN outbox_event AS event ON event.id = delivery.event_id
       WHERE delivery.organization_id = ${organizationId} AND delivery.status = 'failed'
         AND delivery.created_at >= ${since} AND event.kind <> 'webhook.test'
         AND EXISTS (SELECT 1 FROM webhook_endpoint AS endpoint WHERE endpoint.id = delivery.endpoint_id)
       LIMIT ${COUNTED_AT_MOST}) AS failed`;
}
