import { requireFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { EmailRecipient as Row } from '@/lib/platform/db/generated/client';
import type { EmailRecipient } from '@/lib/schemas/email-recipient';
import { storedMemberRulesSchema } from '@/lib/schemas/webhooks/rules';

/** The organization's recipients, newest first. Throws FORBIDDEN. */
export async function listEmailRecipients(ctx: OrganizationContext): Promise<EmailRecipient[]> {
  requirePermission(ctx, 'email-recipient.read');
  const { organizationId } = ctx;
  const rows = await ctx.db.emailRecipient.findMany({
    where: { organizationId },
    orderBy: [{ createdAt: 'desc' }, { number: 'desc' }],
  });
  return rows.map(serializeRecipient);
}

/** One recipient. Throws FORBIDDEN, and NOT_FOUND, also for those of other organizations. */
export async function getEmailRecipient(ctx: OrganizationContext, id: string): Promise<EmailRecipient> {
  requirePermission(ctx, 'email-recipient.read');
  const { organizationId } = ctx;
  const row = await ctx.db.emailRecipient.findFirst({ where: { id, organizationId } });
  return serializeRecipient(requireFound(row, 'Email recipient'));
}

type Standing = Pick<Row, 'enabled' | 'confirmedAt' | 'unsubscribedAt'>;

/** Whether alerts are sent to a recipient, or why not. */
export function statusOf({ enabled, confirmedAt, unsubscribedAt }: Standing): EmailRecipient['status'] {
  if (unsubscribedAt !== null) return 'unsubscribed';
  if (confirmedAt === null) return 'pending';
  return enabled ? 'active' : 'disabled';
}

/** The recipient as the API returns it. */
export function serializeRecipient(row: Row): EmailRecipient {
  const { id, email, description, enabled, version, requestedAt, confirmedAt, createdAt, updatedAt } = row;
  return {
    id,
    email,
    description,
    enabled,
    status: statusOf(row),
    rules: storedMemberRulesSchema.parse(row.rules),
    confirmationSentAt: requestedAt?.toISOString() ?? null,
    confirmedAt: confirmedAt?.toISOString() ?? null,
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
