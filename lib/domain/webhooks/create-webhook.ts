import { createId } from '@/lib/core/ids';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { requireRoom } from '@/lib/plans/limits';
import type { CreateWebhook, NewWebhook } from '@/lib/schemas/webhook';
import { auditedFields, auditSubject } from './audited-webhook';
import { guardLiteralReceiver } from './guard-receiver';
import { serializeWebhook } from './serialize-webhook';
import { generateWebhookSecret } from './sign';

/** Makes a webhook endpoint and shows its secret for the only time. Throws FORBIDDEN, BLOCKED_TARGET, PLAN_LIMIT_EXCEEDED. */
export async function createWebhook(ctx: OrganizationContext, input: CreateWebhook): Promise<NewWebhook> {
  requirePermission(ctx, 'webhook.create');
  guardLiteralReceiver(ctx.targetPolicy, input.url);
  const { organizationId } = ctx;
  const now = ctx.clock.now();
  const id = createId('webhook');
  const secret = generateWebhookSecret();
  const row = await ctx.db.$transaction(async (tx) => {
    const plan = await lockOrganization(tx, organizationId);
    requireRoom(plan, 'webhooks', await tx.webhookEndpoint.count({ where: { organizationId } }));
    const made = await tx.webhookEndpoint.create({
      data: {
        id,
        organizationId,
        ...input,
        status: input.enabled ? 'active' : 'disabled',
        secretSealed: ctx.keyring.seal(secret, id),
        createdAt: now,
        updatedAt: now,
      },
    });
    const subject = auditSubject(made);
    await recordAudit(tx, ctx, { action: 'webhook.create', subject, after: auditedFields(made) });
    return made;
  });
  return { ...serializeWebhook(ctx, row), secret };
}
