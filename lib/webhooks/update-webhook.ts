import { recordAudit } from '@/lib/audit/record-audit';
import type { OrganizationContext } from '@/lib/context/organization-context';
import { requirePermission } from '@/lib/context/permissions';
import type { WebhookEndpoint } from '@/lib/db/generated/client';
import type { Webhook, WebhookChanges } from '@/lib/schemas/webhook';
import { auditedFields, auditSubject } from './audited-webhook';
import { endWaiting } from './end-waiting';
import { guardLiteralReceiver } from './guard-receiver';
import { lockWebhook } from './lock-webhook';
import { getWebhook } from './read-webhooks';

/**
 * Changes the fields given. What waits for an endpoint that is disabled ends as failed. What was held against one is
 * forgotten when it is enabled again or gets another address. Throws FORBIDDEN, NOT_FOUND, BLOCKED_TARGET.
 */
export async function updateWebhook(
  ctx: OrganizationContext,
  id: string,
  changes: WebhookChanges,
): Promise<Webhook> {
  requirePermission(ctx, 'webhook.update');
  if (changes.url !== undefined) guardLiteralReceiver(ctx.targetPolicy, changes.url);
  if (Object.keys(changes).length > 0) {
    await ctx.db.$transaction(async (tx) => {
      const before = await lockWebhook(tx, ctx, id);
      const data = { ...changes, ...followHealth(before, changes), updatedAt: ctx.clock.now() };
      const after = await tx.webhookEndpoint.update({ where: { id }, data });
      if (before.enabled && !after.enabled) {
        await endWaiting(tx, { endpointId: id, reason: 'endpoint_disabled', at: ctx.clock.now() });
      }
      await recordAudit(tx, ctx, {
        action: 'webhook.update',
        subject: auditSubject(after),
        before: auditedFields(before),
        after: auditedFields(after),
      });
    });
  }
  return getWebhook(ctx, id);
}

function followHealth(before: WebhookEndpoint, changes: WebhookChanges) {
  const enabled = changes.enabled ?? before.enabled;
  if (!enabled) return { status: 'disabled' as const };
  const startsAfresh = !before.enabled || (changes.url ?? before.url) !== before.url;
  if (!startsAfresh) return {};
  return { status: 'active' as const, failingSince: null, failedDeliveries: 0, autoDisabledAt: null };
}
