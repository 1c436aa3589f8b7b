import type { WebhookEndpoint } from '@/lib/db/generated/client';
import { EVENT_KINDS, type Webhook } from '@/lib/schemas/webhook';

/** The endpoint as the API answers it: without its secret. */
export function serializeWebhook(row: WebhookEndpoint): Webhook {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: EVENT_KINDS.filter((kind) => row.events.includes(kind)),
    enabled: row.enabled,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
