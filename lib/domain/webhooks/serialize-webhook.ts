import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
import type { WebhookEndpoint } from '@/lib/platform/db/generated/client';
import { hideUrl } from '@/lib/schemas/hidden';
import { EVENT_KINDS, type Webhook } from '@/lib/schemas/webhook';
import { isRotating } from './signing-secrets';

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
