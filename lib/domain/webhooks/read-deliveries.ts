import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits, requirePermission } from '@/lib/domain/context/permissions';
import { Prisma } from '@/lib/platform/db/generated/client';
import { type Page, pageOf } from '@/lib/schemas/cursor';
import {
  type DeliveriesQuery,
  type Delivery,
  type DeliveryDetail,
  testPayloadSchema,
} from '@/lib/schemas/delivery';
import { hideUrl } from '@/lib/schemas/hidden';
import { DELIVERY_COLUMNS, DELIVERY_JOINS } from './delivery-rows';
import { getWebhook } from './read-webhooks';
import { type DeliveryRow, hideReceiver, serializeDelivery, serializeTry } from './serialize-delivery';

/** A page of the organization's deliveries, newest first, in one query. */
export async function listDeliveries(
  ctx: OrganizationContext,
  query: DeliveriesQuery,
): Promise<Page<Delivery>> {
  requirePermission(ctx, 'delivery.read');
  const rows = await ctx.db.$queryRaw<DeliveryRow[]>(deliveriesQuery(ctx.organizationId, query));
  const page = pageOf(rows, query.limit, ({ createdAt, number }) => ({ at: createdAt, tie: Number(number) }));
  return { items: page.items.map(serializeDelivery), next: page.next };
}

/** A page of one endpoint's deliveries. Throws NOT_FOUND; those of a deleted endpoint are in the organization's list. */
export async function listEndpointDeliveries(
  ctx: OrganizationContext,
  id: string,
  query: Omit<DeliveriesQuery, 'webhook'>,
): Promise<Page<Delivery>> {
  requirePermission(ctx, 'delivery.read');
  await getWebhook(ctx, id);
  return listDeliveries(ctx, { ...query, webhook: id });
}

/** One delivery with its payload and its tries; NOT_FOUND for an unknown id and for another organization's alike. */
export async function getDelivery(ctx: OrganizationContext, id: string): Promise<DeliveryDetail> {
  requirePermission(ctx, 'delivery.read');
  const row = await ctx.db.delivery.findFirst({
    where: { id, organizationId: ctx.organizationId },
    include: { event: { select: { kind: true, payload: true } }, tries: { orderBy: { number: 'asc' } } },
  });
  if (row === null) throw deliveryNotFound();
  const { event, tries } = row;
  const mayReadSecrets = permits(ctx, 'webhook.update');
  const body = mayReadSecrets
    ? (row.body ?? event.payload)
    : hideUrlIn(row.body ?? event.payload, event.kind);
  const last = tries.at(-1);
  const delivery = serializeDelivery({
    ...row,
    kind: event.kind,
    lastAttemptAt: last?.startedAt ?? null,
    lastStatusCode: last?.statusCode ?? null,
    lastError: last?.error ?? null,
  });
  const serialized = tries.map((one) => serializeTry(one, body));
  return {
    ...delivery,
    payload: JSON.parse(body),
    payloadText: body,
    tries: mayReadSecrets ? serialized : serialized.map(hideReceiver),
  };
}

/** A test sends the endpoint its own URL; no event names it. */
function hideUrlIn(body: string, kind: string): string {
  const test = kind === 'webhook.test' ? testPayloadSchema.safeParse(JSON.parse(body)) : null;
  if (!test?.success) return body;
  const { webhook } = test.data;
  return JSON.stringify({ ...test.data, webhook: { ...webhook, url: hideUrl(webhook.url) } });
}

/** The refusal that every verb on a missing delivery shares. */
export function deliveryNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such delivery.');
}

function deliveriesQuery(
  organizationId: string,
  { status, event, webhook, limit, cursor }: DeliveriesQuery,
): Prisma.Sql {
  const conditions = [
    Prisma.sql`delivery.organization_id = ${organizationId}`,
    ...(webhook ? [Prisma.sql`delivery.endpoint_id = ${webhook}`] : []),
    ...(status ? [Prisma.sql`delivery.status = ${status}::delivery_status`] : []),
    ...(event ? [Prisma.sql`event.kind = ${event}`] : []),
    ...(cursor
      ? [
          Prisma.sql`delivery.created_at <= ${cursor.at}
            AND (delivery.created_at < ${cursor.at} OR delivery.number < ${cursor.tie})`,
        ]
      : []),
  ];
  return Prisma.sql`
    SELECT ${DELIVERY_COLUMNS} FROM delivery ${DELIVERY_JOINS}
     WHERE ${Prisma.join(conditions, ' AND ')}
     ORDER BY delivery.created_at DESC, delivery.number DESC LIMIT ${limit + 1}`;
}
