import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { EventKind } from '@/lib/schemas/webhooks/event-kinds';
import type { Listener } from '@/lib/schemas/webhooks/listeners';
import { MEMBER_KINDS, type Rule } from '@/lib/schemas/webhooks/rules';
import {
  silenceOfEndpoint,
  silenceOfMember,
  silenceOfRecipient,
  type WhySilent,
} from '@/lib/state/announcements/explain-listener';
import { formatOf } from '@/lib/webhook-formats/formats';
import { readCandidates } from './read-candidates';

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
  const { isOn: isMailOn } = ctx.mail;
  const { endpoints, members, recipients } = await readCandidates(ctx);
  const channels = endpoints.map(({ id, name, format, events, rules, enabled }) => ({
    type: 'webhook' as const,
    id,
    name,
    channel: formatOf(format).label,
    events,
    rules,
    silence: silenceOfEndpoint({ enabled }),
  }));
  const people = members.map(({ id, name, rules, ...member }) => ({
    type: 'member' as const,
    id,
    name,
    channel: member.hasBrowser ? (member.alertMail && isMailOn ? 'Email and push' : 'Push') : 'Email',
    events: MEMBER_KINDS,
    rules,
    silence: silenceOfMember(member, { isMailOn }),
  }));
  const outside = recipients.map(({ id, name, status, rules }) => ({
    type: 'email' as const,
    id,
    name,
    channel: 'Email',
    events: MEMBER_KINDS,
    rules,
    silence: silenceOfRecipient({ status }, { isMailOn }),
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
