import type { WebhookEndpoint } from '@/lib/db/generated/client';
import { EVENT_KINDS, type Webhook } from '@/lib/schemas/webhook';
import { isRotating } from './signing-secrets';

/** The endpoint as the API answers it at `now`: without its secrets. */
export function serializeWebhook(row: WebhookEndpoint, now: Date): Webhook {
  return {
    id: row.id,
    url: row.url,
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
