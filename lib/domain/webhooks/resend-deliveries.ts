import { requireFound } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { renderBody } from '@/lib/notify/message';
import { joinTransaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { notify } from '@/lib/platform/db/listen';
import type { DeliveryDetail, TestPayload } from '@/lib/schemas/webhooks/delivery';
import { hasTemplate } from '@/lib/webhook-formats/formats';
import { auditSubject, lockWebhook, requireEnabled } from './change-webhook';
import { missedSince, previewRecovery } from './deliveries/preview-recovery';
import { getDelivery } from './read-deliveries';
import { getWebhook } from './read-webhooks';

const DAY_MS = 24 * 3_600_000;
/** Older failures are only in the log. */
const NOTABLE_DAYS = 7;
/** Counting stops here. */
export const MAX_COUNT = 1000;

/**
 * Requests one more attempt of a delivery outside its schedule, with the same ID and body, and returns the delivery before it is
 * sent. A worker sends it; a failure does not change the status. Idempotent while the attempt is pending. Throws FORBIDDEN,
 * NOT_FOUND, and ENDPOINT_DISABLED if the endpoint is deleted or disabled.
 */
export async function replayDelivery(ctx: OrganizationContext, id: string): Promise<DeliveryDetail> {
  requirePermission(ctx, 'delivery.replay');
  const { organizationId } = ctx;
  return ctx.db.$transaction(async (tx) => {
    const delivery = await tx.delivery.findFirst({
      where: { id, organizationId },
      select: { endpointId: true, event: { select: { kind: true } } },
    });
    const { endpointId: webhook, event } = requireFound(delivery, 'Delivery');
    const endpoint = await tx.webhookEndpoint.findFirst({
      where: { id: webhook, organizationId },
      select: { enabled: true },
    });
    requireEnabled(requireFound(endpoint, 'Webhook endpoint'));
    const { count } = await tx.delivery.updateMany({
      where: { id, manualAttemptAt: null },
      data: { manualAttemptAt: ctx.clock.now() },
    });
    if (count > 0) {
      const subject = { id, label: event.kind };
      await recordAudit(tx, ctx, { action: 'delivery.replay', subject, after: { webhook } });
      await notify(tx, 'pharos_deliveries');
    }
    return getDelivery({ ...ctx, db: joinTransaction(tx) }, id);
  });
}

/**
 * Queues every failed delivery of an endpoint created at or after `since`, except tests: each restarts its schedule with the
 * same ID and body. `dryRun` only counts them. Throws FORBIDDEN, NOT_FOUND, and ENDPOINT_DISABLED if the endpoint is disabled.
 */
export async function recoverDeliveries(
  ctx: OrganizationContext,
  id: string,
  { since, dryRun = false }: { since: Date; dryRun?: boolean },
): Promise<{ queued: number }> {
  requirePermission(ctx, 'webhook.recover');
  const webhook = await getWebhook(ctx, id);
  requireEnabled(webhook);
  if (dryRun) return { queued: (await previewRecovery(ctx, id, { since })).total?.count ?? 0 };
  const isMissed = missedSince(since, { organizationId: ctx.organizationId, endpointId: id });
  return ctx.db.$transaction(async (tx) => {
    const queued = await tx.$executeRaw`
      UPDATE delivery SET status = 'pending', reason = NULL, failures = 0, next_attempt_at = ${ctx.clock.now()},
             settled_at = NULL
        FROM outbox_event AS event
       WHERE event.id = delivery.event_id AND ${isMissed}`;
    if (queued === 0) return { queued };
    const subject = auditSubject(webhook);
    await recordAudit(tx, ctx, { action: 'webhook.recover', subject, after: { since, queued } });
    await notify(tx, 'pharos_deliveries');
    return { queued };
  });
}

/** The number of failed deliveries of the last 7 days, up to `MAX_COUNT`, without those of deleted endpoints and tests. */
export async function countFailedDeliveries(ctx: OrganizationContext): Promise<number> {
  requirePermission(ctx, 'delivery.read');
  const { db, organizationId, clock } = ctx;
  const since = new Date(clock.now().getTime() - NOTABLE_DAYS * DAY_MS);
  const rows = await db.$queryRaw<{ count: number }[]>(failedCountQuery(organizationId, since));
  return rows[0]?.count ?? 0;
}

/** The number of failed deliveries of an endpoint, up to `MAX_COUNT` and without tests, and the oldest one's time; null if none. */
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
       ORDER BY delivery.created_at, delivery.number LIMIT ${MAX_COUNT}) AS missed`;
  const { count = 0, since = null } = rows[0] ?? {};
  return since === null ? null : { count, since };
}

/** The query of `countFailedDeliveries`. */
export function failedCountQuery(organizationId: string, since: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM delivery JOIN outbox_event AS event ON event.id = delivery.event_id
       WHERE delivery.organization_id = ${organizationId} AND delivery.status = 'failed'
         AND delivery.created_at >= ${since} AND event.kind <> 'webhook.test'
         AND EXISTS (SELECT 1 FROM webhook_endpoint AS endpoint WHERE endpoint.id = delivery.endpoint_id)
       LIMIT ${MAX_COUNT}) AS failed`;
}

/**
 * Queues a single `webhook.test` delivery to an endpoint and returns it before it is sent. A worker sends it like any event; a
 * failure does not affect the endpoint's status. Throws FORBIDDEN, NOT_FOUND, and ENDPOINT_DISABLED if the endpoint is disabled.
 */
export async function testWebhook(ctx: OrganizationContext, id: string): Promise<DeliveryDetail> {
  requirePermission(ctx, 'webhook.test');
  const { organizationId } = ctx;
  const now = ctx.clock.now();
  const deliveryId = createId('delivery');
  return ctx.db.$transaction(async (tx) => {
    const endpoint = await lockWebhook(tx, ctx, id);
    requireEnabled(endpoint);
    const eventId = createId('event');
    const payload: TestPayload = {
      id: eventId,
      event: 'webhook.test',
      timestamp: now.toISOString(),
      webhook: { id, url: endpoint.url },
    };
    const event = {
      id: eventId,
      organizationId,
      kind: payload.event,
      occurredAt: now,
      payload: JSON.stringify(payload),
    };
    await tx.outboxEvent.create({ data: event });
    await tx.delivery.create({
      data: {
        id: deliveryId,
        organizationId,
        eventId: event.id,
        endpointId: id,
        body: renderBody(endpoint.format, payload, ctx.appUrl),
        format: hasTemplate(endpoint.format) ? endpoint.format : null,
        status: 'pending',
        attempts: 0,
        failures: 0,
        nextAttemptAt: now,
        manualAttemptAt: now,
        createdAt: now,
      },
    });
    const subject = auditSubject(endpoint);
    await recordAudit(tx, ctx, { action: 'webhook.test', subject, after: { delivery: deliveryId } });
    await notify(tx, 'pharos_deliveries');
    return getDelivery({ ...ctx, db: joinTransaction(tx) }, deliveryId);
  });
}
