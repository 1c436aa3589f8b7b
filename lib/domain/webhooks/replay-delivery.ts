import { DomainError } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { notify } from '@/lib/platform/db/notify';
import type { DeliveryDetail } from '@/lib/schemas/delivery';
import { requireEnabled } from './lock-webhook';
import { deliveryNotFound, getDelivery } from './read-deliveries';

/**
 * Asks for one more try of a delivery, outside of its schedule: the same id and bytes. A worker makes it; success delivers
 * what was not delivered yet, failure changes nothing but the record. Asking again while it waits changes nothing.
 * Throws FORBIDDEN, NOT_FOUND, and CONFLICT when the endpoint is deleted or disabled.
 */
export async function replayDelivery(ctx: OrganizationContext, id: string): Promise<DeliveryDetail> {
  requirePermission(ctx, 'delivery.replay');
  const { organizationId } = ctx;
  await ctx.db.$transaction(async (tx) => {
    const delivery = await tx.delivery.findFirst({
      where: { id, organizationId },
      include: { event: { select: { kind: true } } },
    });
    if (delivery === null) throw deliveryNotFound();
    const endpoint = await tx.webhookEndpoint.findFirst({
      where: { id: delivery.endpointId, organizationId },
      select: { enabled: true },
    });
    if (endpoint === null)
      throw new DomainError('CONFLICT', 'The webhook endpoint of this delivery was deleted.');
    requireEnabled(endpoint);
    const { count } = await tx.delivery.updateMany({
      where: { id, manualAttemptAt: null },
      data: { manualAttemptAt: ctx.clock.now() },
    });
    if (count === 0) return;
    const { endpointId: webhook, event } = delivery;
    const subject = { id, label: event.kind };
    await recordAudit(tx, ctx, { action: 'delivery.replay', subject, after: { webhook } });
    await notify(tx, 'pharos_deliveries');
  });
  return getDelivery(ctx, id);
}
