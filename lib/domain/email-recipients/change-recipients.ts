import { invalidField, invalidState, requireFound } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { requireRuleMonitors } from '@/lib/domain/organizations/require-rule-monitors';
import { requireQuota } from '@/lib/plans/require-quota';
import type { Transaction } from '@/lib/platform/db/client';
import type { EmailRecipient as Row } from '@/lib/platform/db/generated/client';
import type {
  CreateEmailRecipient,
  EmailRecipient,
  EmailRecipientChanges,
} from '@/lib/schemas/email-recipient';
import { storedRulesSchema } from '@/lib/schemas/webhooks/rules';
import { getEmailRecipient, serializeRecipient } from './read-recipients';
import { sendConfirmation } from './send-confirmation';

/**
 * Adds an address and emails its owner a link that confirms it: nothing else is sent to it before. Throws FORBIDDEN, PLAN_LIMIT_EXCEEDED,
 * UNKNOWN_MONITOR, RATE_LIMITED after too many confirmations, and VALIDATION_ERROR for an address that the organization already has.
 */
export async function createEmailRecipient(
  ctx: OrganizationContext,
  { email, ...input }: CreateEmailRecipient,
): Promise<EmailRecipient> {
  requirePermission(ctx, 'email-recipient.create');
  const { organizationId } = ctx;
  const now = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    const plan = await lockOrganization(tx, organizationId);
    requireQuota(plan, 'emailRecipients', await tx.emailRecipient.count({ where: { organizationId } }));
    await requireRuleMonitors(tx, organizationId, input.rules, []);
    await requireNew(tx, organizationId, email);
    const id = createId('emailRecipient');
    await tx.emailRecipient.create({
      data: { id, organizationId, email, ...input, createdAt: now, updatedAt: now },
    });
    await sendConfirmation(tx, ctx, { id, email });
    const subject = { id, label: email };
    await recordAudit(tx, ctx, { action: 'email-recipient.create', subject, after: { email, ...input } });
    return serializeRecipient(await tx.emailRecipient.findUniqueOrThrow({ where: { id } }));
  });
}

async function requireNew(tx: Transaction, organizationId: string, email: string): Promise<void> {
  const where = { organizationId, email };
  if ((await tx.emailRecipient.count({ where })) > 0)
    throw invalidField('email', 'is already a recipient', 'taken');
  const members = await tx.membership.count({ where: { organizationId, user: { email } } });
  if (members > 0)
    throw invalidField('email', 'belongs to a member, who chooses alerts in their profile', 'taken');
}

/** Changes the given fields. Throws FORBIDDEN, NOT_FOUND, CONFLICT and UNKNOWN_MONITOR. */
export async function updateEmailRecipient(
  ctx: OrganizationContext,
  id: string,
  changes: EmailRecipientChanges,
): Promise<EmailRecipient> {
  requirePermission(ctx, 'email-recipient.update');
  if (Object.keys(changes).length > 0) {
    await ctx.db.$transaction(async (tx) => {
      const before = await lockRecipient(tx, ctx, id);
      requireExpectedVersion(ctx, before);
      const stored = storedRulesSchema.parse(before.rules);
      await requireRuleMonitors(tx, ctx.organizationId, changes.rules ?? [], stored);
      const data = { ...changes, updatedAt: ctx.clock.now() };
      const after = await tx.emailRecipient.update({ where: { id }, data });
      await recordAudit(tx, ctx, {
        action: 'email-recipient.update',
        subject: { id, label: before.email },
        before: fieldsOf(before),
        after: fieldsOf(after),
      });
    });
  }
  return getEmailRecipient(ctx, id);
}

/** Deletes a recipient: nothing is sent to it from then on. Throws FORBIDDEN, NOT_FOUND and CONFLICT. */
export async function deleteEmailRecipient(
  ctx: OrganizationContext,
  id: string,
): Promise<{ message: string }> {
  requirePermission(ctx, 'email-recipient.delete');
  await ctx.db.$transaction(async (tx) => {
    const row = await lockRecipient(tx, ctx, id);
    requireExpectedVersion(ctx, row);
    await tx.emailRecipient.delete({ where: { id } });
    const [subject, before] = [
      { id, label: row.email },
      { email: row.email, ...fieldsOf(row) },
    ];
    await recordAudit(tx, ctx, { action: 'email-recipient.delete', subject, before });
  });
  return { message: 'Email recipient deleted' };
}

/**
 * Emails the confirmation again, with a new link; the earlier one no longer works. Throws FORBIDDEN, NOT_FOUND, RATE_LIMITED, and
 * VALIDATION_ERROR where that makes no sense: the address is confirmed, or this service cannot send email.
 */
export async function resendConfirmation(ctx: OrganizationContext, id: string): Promise<EmailRecipient> {
  requirePermission(ctx, 'email-recipient.resend');
  await ctx.db.$transaction(async (tx) => {
    await lockOrganization(tx, ctx.organizationId);
    const row = await lockRecipient(tx, ctx, id);
    if (row.confirmedAt !== null && row.unsubscribedAt === null)
      throw invalidState('This address is already confirmed.');
    if (!(await sendConfirmation(tx, ctx, row))) {
      throw invalidState(
        'This service cannot send confirmations yet: it has no mail server, or APP_URL is not set.',
      );
    }
    const after = { confirmationSentAt: ctx.clock.now().toISOString() };
    await recordAudit(tx, ctx, {
      action: 'email-recipient.resend',
      subject: { id, label: row.email },
      after,
    });
  });
  return getEmailRecipient(ctx, id);
}

async function lockRecipient(
  tx: Transaction,
  { organizationId }: OrganizationContext,
  id: string,
): Promise<Row> {
  await tx.$queryRaw`
    SELECT 1 FROM email_recipient WHERE id = ${id} AND organization_id = ${organizationId} FOR UPDATE`;
  return requireFound(
    await tx.emailRecipient.findFirst({ where: { id, organizationId } }),
    'Email recipient',
  );
}

function fieldsOf({ description, enabled, rules }: Row) {
  return { description, enabled, rules };
}
