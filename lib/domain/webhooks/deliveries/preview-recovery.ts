import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { Prisma } from '@/lib/platform/db/generated/client';

/** The monitors of a preview, those with the most deliveries. */
export const MAX_PREVIEWED_MONITORS = 10;

type Span = { count: number; first: Date; last: Date };

/** What `recoverDeliveries` would send again, by event and by monitor. */
export type RecoveryPreview = {
  /** `first` and `last` are the times of the oldest and the newest delivery; null without any. */
  total: Span | null;
  events: { event: string; count: number }[];
  /** Also of incidents that affected the monitor; `name` is null once it is deleted. */
  monitors: { id: string; name: string | null; count: number }[];
  hasMoreMonitors: boolean;
};

/** The failed deliveries of an endpoint created at or after `since`, without tests. Throws FORBIDDEN. */
export async function previewRecovery(
  ctx: OrganizationContext,
  endpointId: string,
  { since }: { since: Date },
): Promise<RecoveryPreview> {
  requirePermission(ctx, 'delivery.read');
  const { db, organizationId } = ctx;
  const isMissed = missedSince(since, { organizationId, endpointId });
  const [events, monitors] = await Promise.all([
    db.$queryRaw<(Span & { event: string })[]>`
      SELECT event.kind AS event, count(*)::int AS count,
             min(delivery.created_at) AS first, max(delivery.created_at) AS last
        FROM delivery JOIN outbox_event AS event ON event.id = delivery.event_id
       WHERE ${isMissed} GROUP BY event.kind ORDER BY count DESC, event`,
    db.$queryRaw<RecoveryPreview['monitors']>`
      SELECT monitor_id AS id, monitor.name, count(*)::int AS count
        FROM delivery JOIN outbox_event AS event ON event.id = delivery.event_id
        JOIN event_monitor AS about ON about.event_id = event.id
        LEFT JOIN monitor ON monitor.id = monitor_id AND monitor.organization_id = delivery.organization_id
       WHERE ${isMissed} GROUP BY monitor_id, monitor.name
       ORDER BY count DESC, name, monitor_id LIMIT ${MAX_PREVIEWED_MONITORS + 1}`,
  ]);
  return {
    total: events.reduce<Span | null>(joinSpans, null),
    events: events.map(({ event, count }) => ({ event, count })),
    monitors: monitors.slice(0, MAX_PREVIEWED_MONITORS),
    hasMoreMonitors: monitors.length > MAX_PREVIEWED_MONITORS,
  };
}

/** Which rows of `delivery`, with their `event`, a recovery sends again. */
export function missedSince(
  since: Date,
  { organizationId, endpointId }: { organizationId: string; endpointId: string },
): Prisma.Sql {
  return Prisma.sql`
    delivery.organization_id = ${organizationId} AND delivery.endpoint_id = ${endpointId}
    AND delivery.status = 'failed' AND delivery.created_at >= ${since} AND event.kind <> 'webhook.test'`;
}

function joinSpans(total: Span | null, { count, first, last }: Span): Span {
  if (total === null) return { count, first, last };
  return {
    count: total.count + count,
    first: first < total.first ? first : total.first,
    last: last > total.last ? last : total.last,
  };
}
