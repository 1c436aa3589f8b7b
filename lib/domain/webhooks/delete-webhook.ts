import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { auditedFields, auditSubject } from './audited-webhook';
import { endWaiting } from './end-waiting';
import { lockWebhook } from './lock-webhook';

/** Deletes an endpoint and ends what waits for it as failed. Throws FORBIDDEN and NOT_FOUND. */
export async function deleteWebhook(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'webhook.delete');
  await ctx.db.$transaction(async (tx) => {
    const row = await lockWebhook(tx, ctx, id);
    await tx.webhookEndpoint.delete({ where: { id } });
    await endWaiting(tx, { endpointId: id, reason: 'endpoint_deleted', at: ctx.clock.now() });
    const subject = auditSubject(row);
    await recordAudit(tx, ctx, { action: 'webhook.delete', subject, before: auditedFields(row) });
  });
  return { message: 'Webhook endpoint deleted' };
}
