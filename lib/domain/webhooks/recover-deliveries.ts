import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { notify } from '@/lib/platform/db/notify';
import { auditSubject } from './audited-webhook';
import { requireEnabled } from './lock-webhook';
import { getWebhook } from './read-webhooks';

/**
 * Queues every delivery of an endpoint that was made at or after `since` and failed for good: each begins its schedule
 * again, with the same id and bytes. Test sends are left out. Throws FORBIDDEN, NOT_FOUND, and CONFLICT when the endpoint
 * is disabled.
 */
export async function recoverDeliveries(
  ctx: OrganizationContext,
  id: string,
  { since }: { since: Date },
): Promise<{ queued: number }> {
  requirePermission(ctx, 'webhook.recover');
  const webhook = await getWebhook(ctx, id);
  requireEnabled(webhook);
  return ctx.db.$transaction(async (tx) => {
    const queued = await tx.$executeRaw`
      UPDATE delivery SET status = 'pending', reason = NULL, failures = 0, next_attempt_at = ${ctx.clock.now()},
             settled_at = NULL
        FROM outbox_event AS event
       WHERE event.id = delivery.event_id AND event.kind <> 'webhook.test'
         AND delivery.endpoint_id = ${id} AND delivery.status = 'failed' AND delivery.created_at >= ${since}`;
    if (queued === 0) return { queued };
    const subject = auditSubject(webhook);
    await recordAudit(tx, ctx, { action: 'webhook.recover', subject, after: { since, queued } });
    await notify(tx, 'pharos_deliveries');
    return { queued };
  });
}
