import { createId } from '@/lib/core/ids';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { notify } from '@/lib/platform/db/notify';
import type { DeliveryDetail, TestPayload } from '@/lib/schemas/delivery';
import { auditSubject } from './audited-webhook';
import { renderBody } from './formats/render-body';
import { lockWebhook, requireEnabled } from './lock-webhook';
import { getDelivery } from './read-deliveries';

/**
 * Sends `webhook.test` to an endpoint, once, whatever it subscribed to, and answers the delivery before it is tried: a
 * worker sends it, so that the receiver sees what it will see of events. Its failure is not held against the endpoint.
 * Throws FORBIDDEN, NOT_FOUND, and CONFLICT when the endpoint is disabled.
 */
export async function testWebhook(ctx: OrganizationContext, id: string): Promise<DeliveryDetail> {
  requirePermission(ctx, 'webhook.test');
  const { organizationId } = ctx;
  const now = ctx.clock.now();
  const deliveryId = createId('delivery');
  await ctx.db.$transaction(async (tx) => {
    const endpoint = await lockWebhook(tx, ctx, id);
    requireEnabled(endpoint);
    const payload: TestPayload = {
      event: 'webhook.test',
      timestamp: now.toISOString(),
      webhook: { id, url: endpoint.url },
    };
    const event = {
      id: createId('event'),
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
  });
  return getDelivery(ctx, deliveryId);
}
