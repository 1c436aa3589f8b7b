import { requireFound } from '@/lib/core/errors';
import { pageOfCreated } from '@/lib/domain/context/newest-first';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits, requirePermission } from '@/lib/domain/context/permissions';
import { type DeliveryAttempt as AttemptRow, Prisma } from '@/lib/platform/db/generated/client';
import type { Page } from '@/lib/schemas/cursor';
import { HIDDEN, hideHeaders, hideUrl } from '@/lib/schemas/hidden';
import {
  type DeliveriesQuery,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryDetail,
  testPayloadSchema,
} from '@/lib/schemas/webhooks/delivery';
import { deliverySource } from './deliveries/delivery-filter';
import { DELIVERY_COLUMNS, DELIVERY_JOINS, type DeliveryRow, serializeDelivery } from './delivery-row';
import { getWebhook } from './read-webhooks';

/** Path segments of at least this length can be tokens, which receivers may repeat in their responses. */
const MIN_TOKEN = 12;

/** A page of the organization's deliveries, newest first, in one query. */
export async function listDeliveries(
  ctx: OrganizationContext,
  query: DeliveriesQuery,
): Promise<Page<Delivery>> {
  requirePermission(ctx, 'delivery.read');
  const rows = await ctx.db.$queryRaw<DeliveryRow[]>(deliveriesQuery(ctx.organizationId, query));
  return pageOfCreated(rows, query.limit, serializeDelivery);
}

/** A page of one endpoint's deliveries. Throws NOT_FOUND; deliveries of deleted endpoints are only in the organization's list. */
export async function listEndpointDeliveries(
  ctx: OrganizationContext,
  id: string,
  query: Omit<DeliveriesQuery, 'webhook'>,
): Promise<Page<Delivery>> {
  requirePermission(ctx, 'delivery.read');
  await getWebhook(ctx, id);
  return listDeliveries(ctx, { ...query, webhook: id });
}

/** One delivery with its payload and attempts. Throws NOT_FOUND, also for deliveries of other organizations. */
export async function getDelivery(ctx: OrganizationContext, id: string): Promise<DeliveryDetail> {
  requirePermission(ctx, 'delivery.read');
  const found = await ctx.db.$queryRaw<(DeliveryRow & { body: string; payload: string })[]>`
    SELECT ${DELIVERY_COLUMNS}, coalesce(delivery.body, event.payload) AS body, event.payload
      FROM delivery ${DELIVERY_JOINS}
     WHERE delivery.id = ${id} AND delivery.organization_id = ${ctx.organizationId}`;
  const row = requireFound(found[0] ?? null, 'Delivery');
  const rows = await ctx.db.deliveryAttempt.findMany({
    where: { deliveryId: id },
    orderBy: { number: 'asc' },
  });
  const mayReadSecrets = permits(ctx, 'webhook.update');
  const body = mayReadSecrets ? row.body : hideUrlIn(row.body, row.kind);
  const attempts = rows.map((attempt) => serializeAttempt(attempt, body));
  return {
    ...serializeDelivery(row),
    payload: parseObject(body) ?? parseObject(hideUrlIn(row.payload, row.kind)) ?? {},
    payloadText: body,
    tries: mayReadSecrets ? attempts : attempts.map(hideReceiver),
  };
}

/** A body of a custom format can be any text; null if it is not JSON. */
function parseObject(body: string): DeliveryDetail['payload'] | null {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Only the test event contains the URL of the endpoint. */
function hideUrlIn(body: string, kind: string): string {
  const test = kind === 'webhook.test' ? testPayloadSchema.safeParse(parseObject(body)) : null;
  if (!test?.success) return body;
  const { webhook } = test.data;
  return JSON.stringify({ ...test.data, webhook: { ...webhook, url: hideUrl(webhook.url) } });
}

/** The query of `listDeliveries`. */
export function deliveriesQuery(
  organizationId: string,
  { status, event, webhook, monitor, limit, cursor }: DeliveriesQuery,
): Prisma.Sql {
  const { from, conditions, createdAt } = deliverySource({ organizationId, webhook, monitor });
  const all = [
    ...conditions,
    ...(status ? [Prisma.sql`delivery.status = ${status}::delivery_status`] : []),
    ...(event ? [Prisma.sql`event.kind = ${event}`] : []),
    ...(cursor
      ? [
          Prisma.sql`${createdAt} <= ${cursor.at}
            AND (${createdAt} < ${cursor.at} OR delivery.number < ${cursor.tie})`,
        ]
      : []),
  ];
  return Prisma.sql`
    SELECT ${DELIVERY_COLUMNS} FROM ${from} ${DELIVERY_JOINS}
     WHERE ${Prisma.join(all, ' AND ')}
     ORDER BY ${createdAt} DESC, delivery.number DESC LIMIT ${limit + 1}`;
}

/** One attempt of a delivery as the API returns it; `body` is sent with every attempt. */
function serializeAttempt(row: AttemptRow, body: string): DeliveryAttempt {
  // Both are written by send-delivery.ts with string values.
  const requestHeaders = row.requestHeaders as Record<string, string> | null;
  const responseHeaders = row.responseHeaders as Record<string, string> | null;
  const { statusCode: status, responseBody } = row;
  return {
    id: row.id,
    attempt: row.number,
    manual: row.manual,
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    duration: row.duration,
    statusCode: status,
    responseHeaders,
    responseBody,
    error: row.error,
    request:
      row.url === null || requestHeaders === null
        ? null
        : { method: row.requestMethod ?? 'POST', url: row.url, headers: requestHeaders, body },
    response: status === null ? null : { status, headers: responseHeaders, body: responseBody },
  };
}

/**
 * An attempt for actors who may not change the endpoint: without the path of its URL, even in the response, and without the
 * signatures, which could be used to replay the request.
 */
function hideReceiver(attempt: DeliveryAttempt): DeliveryAttempt {
  const { request, response, responseHeaders, responseBody, error } = attempt;
  if (request === null) return attempt;
  const { pathname, search } = new URL(request.url);
  const tokens = `${pathname}${search}`.split(/[/?&=]/).filter((part) => part.length >= MIN_TOKEN);
  const parts = [pathname + search, pathname, ...tokens].filter((part) => part.length > 1);
  const hide = (text: string) => parts.reduce((left, part) => left.replaceAll(part, HIDDEN), text);
  const hideIn = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hide(value)]));
  return {
    ...attempt,
    error: error && hide(error),
    responseHeaders: responseHeaders && hideIn(responseHeaders),
    responseBody: responseBody && hide(responseBody),
    request: { ...request, url: hideUrl(request.url), headers: hideHeaders(request.headers) },
    response: response && {
      ...response,
      headers: response.headers && hideIn(response.headers),
      body: response.body && hide(response.body),
    },
  };
}

/** The latest delivery of every endpoint of the organization, by endpoint ID; endpoints without any are omitted. */
export async function readLatestDeliveries(ctx: OrganizationContext): Promise<Map<string, Delivery>> {
  requirePermission(ctx, 'delivery.read');
  const { db, organizationId } = ctx;
  const rows = await db.$queryRaw<DeliveryRow[]>`
    SELECT ${DELIVERY_COLUMNS}
      FROM webhook_endpoint AS endpoint
     CROSS JOIN LATERAL (
       SELECT * FROM delivery WHERE delivery.endpoint_id = endpoint.id
        ORDER BY delivery.created_at DESC, delivery.number DESC LIMIT 1) AS delivery
      ${DELIVERY_JOINS}
     WHERE endpoint.organization_id = ${organizationId}`;
  return new Map(rows.map((row) => [row.endpointId, serializeDelivery(row)]));
}
