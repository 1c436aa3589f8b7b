import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Transaction } from '@/lib/platform/db/client';
import type { WebhookEndpoint } from '@/lib/platform/db/generated/client';
import { webhookNotFound } from './read-webhooks';

/** Locks an endpoint until the transaction ends. Throws NOT_FOUND. */
export async function lockWebhook(
  tx: Transaction,
  { organizationId }: Pick<OrganizationContext, 'organizationId'>,
  id: string,
): Promise<WebhookEndpoint> {
  await tx.$queryRaw`
    SELECT 1 FROM webhook_endpoint WHERE id = ${id} AND organization_id = ${organizationId} FOR UPDATE`;
  const row = await tx.webhookEndpoint.findFirst({ where: { id, organizationId } });
  if (row === null) throw webhookNotFound();
  return row;
}

/** Refuses (CONFLICT) an endpoint that is disabled: nothing is sent to it, whoever asks. */
export function requireEnabled({ enabled }: Pick<WebhookEndpoint, 'enabled'>): void {
  if (enabled) return;
  throw new DomainError('CONFLICT', 'This webhook endpoint is disabled; enable it first.');
}
