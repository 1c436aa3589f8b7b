import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Webhook } from '@/lib/schemas/webhook';
import { serializeWebhook } from './serialize-webhook';

/** All webhook endpoints of the organization, newest first. */
export async function listWebhooks(ctx: OrganizationContext): Promise<Webhook[]> {
  requirePermission(ctx, 'webhook.read');
  const rows = await ctx.db.webhookEndpoint.findMany({
    where: { organizationId: ctx.organizationId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map((row) => serializeWebhook(ctx, row));
}

/** One endpoint; NOT_FOUND for an unknown id and for another organization's alike. */
export async function getWebhook(ctx: OrganizationContext, id: string): Promise<Webhook> {
  requirePermission(ctx, 'webhook.read');
  const row = await ctx.db.webhookEndpoint.findFirst({ where: { id, organizationId: ctx.organizationId } });
  if (row === null) throw webhookNotFound();
  return serializeWebhook(ctx, row);
}

/** The refusal that every verb on a missing endpoint shares. */
export function webhookNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such webhook endpoint.');
}
