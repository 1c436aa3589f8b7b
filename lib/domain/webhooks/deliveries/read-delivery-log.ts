import { pageOfCreated } from '@/lib/domain/context/newest-first';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { Delivery, DeliveryStatus } from '@/lib/schemas/webhooks/delivery';
import { LOG_ORDER, type LogPlace, type LogQuery } from '@/lib/schemas/webhooks/delivery-log';
import { DELIVERY_COLUMNS, DELIVERY_JOINS, type DeliveryRow, serializeDelivery } from '../delivery-row';
import { deliverySource } from './delivery-filter';

/** The query filters the log; `limit` is the page size. */
export type LogOptions = LogQuery & { limit: number };

/** A page of the log: failed deliveries first, then pending, then delivered, each newest first. */
export async function readDeliveryLog(
  ctx: OrganizationContext,
  options: LogOptions,
): Promise<{ items: Delivery[]; next: LogPlace | null }> {
  requirePermission(ctx, 'delivery.read');
  const rows = await ctx.db.$queryRaw<DeliveryRow[]>(deliveryLogQuery(ctx.organizationId, options));
  const { items, next } = pageOfCreated(rows, options.limit, serializeDelivery);
  const last = items.at(-1);
  return { items, next: next && last ? { ...next, group: last.status } : null };
}

/**
 * Reads at most one page of each status from its own index, so that a few failures are found quickly among many deliveries;
 * skips statuses before the page's position.
 */
export function deliveryLogQuery(
  organizationId: string,
  { status, after, webhook, monitor, limit }: LogOptions,
): Prisma.Sql {
  const begin = after === null ? 0 : LOG_ORDER.indexOf(after.group);
  const groups = LOG_ORDER.map((each, place) => ({ status: each, place })).filter((group) =>
    status === undefined ? group.place >= begin : group.status === status,
  );
  const { from, conditions, createdAt } = deliverySource({ organizationId, webhook, monitor });
  const parts = groups.map((group) => {
    const all = [
      ...conditions,
      STATUS_IS[group.status],
      ...(after?.group === group.status
        ? [Prisma.sql`(${createdAt}, delivery.number) < (${after.at}::timestamptz, ${after.tie}::bigint)`]
        : []),
    ];
    return Prisma.sql`
      (SELECT delivery.id, ${createdAt} AS created_at, delivery.number, ${group.place}::int AS place FROM ${from}
        WHERE ${Prisma.join(all, ' AND ')} ORDER BY ${createdAt} DESC, delivery.number DESC LIMIT ${limit + 1})`;
  });
  return Prisma.sql`
    WITH page AS (
      SELECT * FROM (${Prisma.join(parts, ' UNION ALL ')}) AS found
       ORDER BY place, created_at DESC, number DESC LIMIT ${limit + 1}
    )
    SELECT ${DELIVERY_COLUMNS} FROM page JOIN delivery ON delivery.id = page.id ${DELIVERY_JOINS}
     ORDER BY page.place, page.created_at DESC, page.number DESC`;
}

/** Literals instead of parameters, because a generic plan could not use the partial index. */
const STATUS_IS: Record<DeliveryStatus, Prisma.Sql> = {
  failed: Prisma.sql`delivery.status = 'failed'`,
  pending: Prisma.sql`delivery.status = 'pending'`,
  delivered: Prisma.sql`delivery.status = 'delivered'`,
};
