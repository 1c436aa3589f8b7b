import { type OrganizationContext, requireWrite } from '@/lib/context/organization-context';
import type { Webhook, WebhookChanges } from '@/lib/schemas/webhook';
import { guardLiteralReceiver } from './guard-receiver';
import { getWebhook, webhookNotFound } from './read-webhooks';

/** Changes the fields given. Enabling an endpoint makes it active again. Throws FORBIDDEN, NOT_FOUND, BLOCKED_TARGET. */
export async function updateWebhook(
  ctx: OrganizationContext,
  id: string,
  changes: WebhookChanges,
): Promise<Webhook> {
  requireWrite(ctx);
  if (changes.url !== undefined) guardLiteralReceiver(ctx.targetPolicy, changes.url);
  if (Object.keys(changes).length > 0) {
    const status =
      changes.enabled === undefined
        ? {}
        : { status: changes.enabled ? ('active' as const) : ('disabled' as const) };
    const { count } = await ctx.db.webhookEndpoint.updateMany({
      where: { id, organizationId: ctx.organizationId },
      data: { ...changes, ...status, updatedAt: ctx.clock.now() },
    });
    if (count === 0) throw webhookNotFound();
  }
  return getWebhook(ctx, id);
}
