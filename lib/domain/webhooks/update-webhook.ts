import { DomainError } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { WebhookEndpoint } from '@/lib/platform/db/generated/client';
import { HIDDEN, hideUrl } from '@/lib/schemas/hidden';
import type { Webhook, WebhookChanges } from '@/lib/schemas/webhook';
import { auditedFields, auditSubject } from './audited-webhook';
import { endWaiting } from './end-waiting';
import { guardLiteralReceiver } from './guard-receiver';
import { lockWebhook } from './lock-webhook';
import { getWebhook } from './read-webhooks';

/**
 * Changes the fields given. What waits for an endpoint that is disabled ends as failed. What was held against one is
 * forgotten when it is enabled again or gets another address. A URL of a known host and `[hidden]` keeps the stored one.
 * Throws FORBIDDEN, NOT_FOUND, VALIDATION_ERROR for a `[hidden]` that cannot be kept, BLOCKED_TARGET.
 */
export async function updateWebhook(
  ctx: OrganizationContext,
  id: string,
  given: WebhookChanges,
): Promise<Webhook> {
  requirePermission(ctx, 'webhook.update');
  if (Object.keys(given).length > 0) {
    await ctx.db.$transaction(async (tx) => {
      const before = await lockWebhook(tx, ctx, id);
      const changes = keepHiddenUrl(given, before);
      if (given.url !== undefined) guardLiteralReceiver(ctx.targetPolicy, changes.url);
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

/**
 * `given` with the stored URL in the place of the one that `hideUrl` shows. Throws VALIDATION_ERROR for any other
 * `[hidden]`.
 */
function keepHiddenUrl(given: WebhookChanges, { url: stored }: WebhookEndpoint) {
  const { url = stored } = given;
  if (url === hideUrl(stored)) return { ...given, url: stored };
  if (!url.includes(HIDDEN)) return { ...given, url };
  const message = `is hidden; send ${hideUrl(stored)} to keep the stored URL, or the whole of another one`;
  throw new DomainError('VALIDATION_ERROR', 'The request is not valid: url.', [
    { path: 'url', code: 'nothing_stored', message },
  ]);
}

function followHealth(before: WebhookEndpoint, changes: WebhookChanges) {
  const enabled = changes.enabled ?? before.enabled;
  if (!enabled) return { status: 'disabled' as const };
  const startsAfresh = !before.enabled || (changes.url ?? before.url) !== before.url;
  if (!startsAfresh) return {};
  return { status: 'active' as const, failingSince: null, failedDeliveries: 0, autoDisabledAt: null };
}
