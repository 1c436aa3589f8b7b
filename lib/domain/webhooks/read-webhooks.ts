import { requireFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits, requirePermission } from '@/lib/domain/context/permissions';
import type { WebhookEndpoint } from '@/lib/platform/db/generated/client';
import { hideUrl } from '@/lib/schemas/hidden';
import { EVENT_KINDS } from '@/lib/schemas/webhooks/event-kinds';
import { storedRulesSchema } from '@/lib/schemas/webhooks/rules';
import type { Webhook } from '@/lib/schemas/webhooks/webhook';
import { hideCredentials, openCredentials, openHeaders } from './credentials';
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

/** One endpoint. Throws NOT_FOUND, also for endpoints of other organizations. */
export async function getWebhook(ctx: OrganizationContext, id: string): Promise<Webhook> {
  requirePermission(ctx, 'webhook.read');
  const row = await ctx.db.webhookEndpoint.findFirst({ where: { id, organizationId: ctx.organizationId } });
  return serializeWebhook(ctx, requireFound(row, 'Webhook endpoint'));
}

/** The endpoint as the API returns it, without secrets; actors who may not change it do not get the path of its URL. */
export function serializeWebhook(
  ctx: Pick<OrganizationContext, 'actor' | 'clock' | 'keyring'>,
  row: WebhookEndpoint,
): Webhook {
  const now = ctx.clock.now();
  return {
    id: row.id,
    url: permits(ctx, 'webhook.update') ? row.url : hideUrl(row.url),
    description: row.description,
    events: EVENT_KINDS.filter((kind) => row.events.includes(kind)),
    rules: storedRulesSchema.parse(row.rules),
    format: row.format,
    credentials: hideCredentials(openCredentials(ctx.keyring, row.id, row.credentialsSealed)),
    headers: hideCredentials(openHeaders(ctx.keyring, row.id, row.headersSealed)),
    template: row.template,
    acknowledgeLinks: row.acknowledgeLinks,
    ref: row.ref,
    enabled: row.enabled,
    status: row.status,
    failingSince: row.failingSince?.toISOString() ?? null,
    autoDisabledAt: row.autoDisabledAt?.toISOString() ?? null,
    rotationEndsAt: isRotating(row, now) ? (row.rotationEndsAt?.toISOString() ?? null) : null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
