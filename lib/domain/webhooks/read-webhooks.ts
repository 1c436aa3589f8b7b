import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits, requirePermission } from '@/lib/domain/context/permissions';
import type { WebhookEndpoint } from '@/lib/platform/db/generated/client';
import { hideUrl } from '@/lib/schemas/hidden';
import { EVENT_KINDS, type Webhook } from '@/lib/schemas/webhook';
import { isRotating } from './sign';

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
  return new DomainError('NOT_FOUND', 'Webhook endpoint not found.');
}

/** The endpoint as the API returns it: without its secrets, and for who may not change it without the path of its URL. */
export function serializeWebhook(
  ctx: Pick<OrganizationContext, 'actor' | 'clock'>,
  row: WebhookEndpoint,
): Webhook {
  const now = ctx.clock.now();
  return {
    id: row.id,
    url: permits(ctx, 'webhook.update') ? row.url : hideUrl(row.url),
    description: row.description,
    events: EVENT_KINDS.filter((kind) => row.events.includes(kind)),
    format: row.format,
    enabled: row.enabled,
    status: row.status,
    failingSince: row.failingSince?.toISOString() ?? null,
    autoDisabledAt: row.autoDisabledAt?.toISOString() ?? null,
    rotationEndsAt: isRotating(row, now) ? (row.rotationEndsAt?.toISOString() ?? null) : null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
