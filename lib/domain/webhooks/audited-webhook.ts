import type { Fields } from '@/lib/domain/audit/describe-change';
import type { WebhookEndpoint } from '@/lib/platform/db/generated/client';

/** What the audit log calls an endpoint: its description, or the host it leads to. */
export function auditSubject({ id, description, url }: Pick<WebhookEndpoint, 'id' | 'description' | 'url'>) {
  return { id, label: description || new URL(url).host };
}

/** The fields of an endpoint that the audit log keeps. */
export function auditedFields(row: WebhookEndpoint): Fields {
  const { url: receiver, description, events, format, enabled } = row;
  return { receiver, description, events, format, enabled };
}
