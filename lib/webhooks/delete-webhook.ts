import type { OrganizationContext } from '@/lib/context/organization-context';
import { requirePermission } from '@/lib/context/permissions';
import { webhookNotFound } from './read-webhooks';

/** Deletes an endpoint. Deliveries that wait end as failed when they come up. Throws FORBIDDEN and NOT_FOUND. */
export async function deleteWebhook(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'webhook.delete');
  const { count } = await ctx.db.webhookEndpoint.deleteMany({
    where: { id, organizationId: ctx.organizationId },
  });
  if (count === 0) throw webhookNotFound();
  return { message: 'Webhook endpoint deleted' };
}
