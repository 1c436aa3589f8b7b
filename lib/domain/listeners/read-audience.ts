import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits, requirePermission } from '@/lib/domain/context/permissions';
import { statusOf } from '@/lib/domain/email-recipients/read-recipients';
import { isLive } from '@/lib/domain/push/list-browsers';
import { auditSubject } from '@/lib/domain/webhooks/change-webhook';
import { listWebhooks } from '@/lib/domain/webhooks/read-webhooks';
import type { EventKind } from '@/lib/schemas/webhooks/event-kinds';
import type { Listener } from '@/lib/schemas/webhooks/listeners';
import { MEMBER_KINDS, type Rule, storedRulesSchema } from '@/lib/schemas/webhooks/rules';
import {
  silenceOfEndpoint,
  silenceOfMember,
  silenceOfRecipient,
  type WhySilent,
} from '@/lib/state/announcements/explain-listener';
import { formatOf } from '@/lib/webhook-formats/formats';

/** What a listener is notified of, whatever the monitor and the time. */
export type Receiving = Pick<Listener, 'type' | 'id' | 'name'> & {
  /** How it is notified: the label of its format, `Email`, `Push`, or both. */
  channel: string;
  events: readonly EventKind[];
  rules: readonly Rule[];
  /** Why it is notified of nothing; null: it is of its events. */
  silence: WhySilent | null;
};

/** Everyone who is set up to be notified, in the order of `explainListeners`. Throws FORBIDDEN. */
export async function readAudience(ctx: OrganizationContext): Promise<Receiving[]> {
  requirePermission(ctx, 'member.read');
  const { db, organizationId, mail } = ctx;
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
  const channels = endpoints.map((endpoint) => ({
    type: 'webhook' as const,
    id: endpoint.id,
    name: auditSubject(endpoint).label,
    channel: formatOf(endpoint.format).label,
    events: endpoint.events,
    rules: endpoint.rules,
    silence: silenceOfEndpoint(endpoint),
  }));
  const people = members.map(({ userId, alertMail, alertRules, user, pushSubscriptions }) => {
    const hasBrowser = pushSubscriptions.length > 0;
    const isEmailed = alertMail && mail.isOn;
    return {
      type: 'member' as const,
      id: userId,
      name: user.email,
      channel: hasBrowser ? (isEmailed ? 'Email and push' : 'Push') : 'Email',
      events: MEMBER_KINDS,
      rules: storedRulesSchema.parse(alertRules),
      silence: silenceOfMember({ alertMail, hasBrowser }, { isMailOn: mail.isOn }),
    };
  });
  const showsAddress = permits(ctx, 'email-recipient.read');
  const outside = recipients.map(({ id, email, description, ...row }) => ({
    type: 'email' as const,
    id,
    name: showsAddress ? email : description || 'Email recipient',
    channel: 'Email',
    events: MEMBER_KINDS,
    rules: storedRulesSchema.parse(row.rules),
    silence: silenceOfRecipient({ status: statusOf(row) }, { isMailOn: mail.isOn }),
  }));
  return [...channels, ...people, ...outside];
}

/** Whether anyone of the organization is notified of anything: `readAudience` has somebody without a silence. One statement. Throws FORBIDDEN. */
export async function isAnyoneNotified(ctx: OrganizationContext): Promise<boolean> {
  requirePermission(ctx, 'member.read');
  const { db, organizationId, mail, clock } = ctx;
  const [row] = await db.$queryRaw<{ notified: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM webhook_endpoint WHERE organization_id = ${organizationId} AND enabled)
        OR EXISTS (SELECT 1 FROM push_subscription JOIN session ON session.id = session_id
                    WHERE push_subscription.organization_id = ${organizationId} AND expires_at > ${clock.now()})
        OR (${mail.isOn}
            AND (EXISTS (SELECT 1 FROM membership WHERE organization_id = ${organizationId} AND alert_mail)
                 OR EXISTS (SELECT 1 FROM email_recipient
                             WHERE organization_id = ${organizationId} AND enabled
                               AND confirmed_at IS NOT NULL AND unsubscribed_at IS NULL)))
        AS notified`;
  return row?.notified ?? false;
}
