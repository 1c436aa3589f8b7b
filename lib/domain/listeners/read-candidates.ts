import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits, requirePermission } from '@/lib/domain/context/permissions';
import { statusOf } from '@/lib/domain/email-recipients/read-recipients';
import { isLive } from '@/lib/domain/push/list-browsers';
import { auditSubject } from '@/lib/domain/webhooks/change-webhook';
import { listWebhooks } from '@/lib/domain/webhooks/read-webhooks';
import { storedRulesSchema } from '@/lib/schemas/webhooks/rules';

/**
 * All that could be notified, with their names: endpoints, newest first, members in the order in which they joined, and email recipients, whose
 * addresses not everyone may see. Takes three statements. Throws FORBIDDEN.
 */
export async function readCandidates(ctx: OrganizationContext) {
  requirePermission(ctx, 'member.read');
  const { db, organizationId } = ctx;
  const [endpoints, members, recipients] = await Promise.all([
    listWebhooks(ctx),
    db.membership.findMany({
      where: { organizationId },
      select: {
        userId: true,
        alertMail: true,
        alertRules: true,
        user: { select: { email: true } },
        pushSubscriptions: { where: { session: isLive(ctx.clock.now()) }, select: { id: true } },
      },
      orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
    }),
    db.emailRecipient.findMany({
      where: { organizationId },
      orderBy: [{ createdAt: 'asc' }, { number: 'asc' }],
    }),
  ]);
  const showsAddress = permits(ctx, 'email-recipient.read');
  return {
    endpoints: endpoints.map((endpoint) => ({ ...endpoint, name: auditSubject(endpoint).label })),
    members: members.map(({ userId, alertMail, alertRules, user, pushSubscriptions }) => ({
      id: userId,
      name: user.email,
      alertMail,
      hasBrowser: pushSubscriptions.length > 0,
      rules: storedRulesSchema.parse(alertRules),
    })),
    recipients: recipients.map(({ id, email, description, rules, ...row }) => ({
      id,
      name: showsAddress ? email : description || 'Email recipient',
      status: statusOf(row),
      rules: storedRulesSchema.parse(rules),
    })),
  };
}
