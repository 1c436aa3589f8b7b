import { groupBy } from '@/lib/core/groups';
import type { Services } from '@/lib/domain/context/services';
import { acknowledgeUrl } from '@/lib/domain/incidents/acknowledge/acknowledge-link';
import { memberUnsubscribeUrl } from '@/lib/domain/people/unsubscribe-link';
import type { Transaction } from '@/lib/platform/db/client';
import {
  type MailBlock,
  type MailContent,
  type MailThread,
  queueMails,
} from '@/lib/platform/mail/queue-mail';
import { type Rule, storedRulesSchema } from '@/lib/schemas/webhooks/rules';

/** Who wants emails about monitors and incidents: a member, or an address without an account. */
export type MailRecipient = {
  /** The ID of the user or email recipient. */
  id: string;
  /** Whether they can sign in. Others get only what is about monitors, without links to the dashboard. */
  isMember: boolean;
  /** The email address. */
  to: string;
  /** Whether they can change the organization itself. */
  manages: boolean;
  /** Whether they can acknowledge incidents. */
  acknowledges: boolean;
  /** Which alerts about monitors they want; all without rules. */
  rules: Rule[];
};

/**
 * Who wants the alerts of an organization by email, in two statements: members in the order in which they joined, then the addresses without an
 * account that were confirmed, oldest first.
 */
export async function findRecipients(tx: Transaction, organizationId: string): Promise<MailRecipient[]> {
  const memberships = await tx.membership.findMany({
    where: { organizationId, alertMail: true },
    select: { role: true, userId: true, alertRules: true, user: { select: { email: true } } },
    orderBy: { createdAt: 'asc' },
  });
  const others = await tx.emailRecipient.findMany({
    where: { organizationId, enabled: true, confirmedAt: { not: null }, unsubscribedAt: null },
    select: { id: true, email: true, rules: true },
    orderBy: [{ createdAt: 'asc' }, { number: 'asc' }],
  });
  const members = memberships.map(({ role, userId, alertRules, user }) => ({
    id: userId,
    isMember: true,
    to: user.email,
    manages: role === 'admin' || role === 'owner',
    acknowledges: role !== 'viewer',
    rules: storedRulesSchema.parse(alertRules),
  }));
  const outside = others.map(({ id, email, rules }) => ({
    id,
    isMember: false,
    to: email,
    manages: false,
    acknowledges: false,
    rules: storedRulesSchema.parse(rules),
  }));
  return [...members, ...outside];
}

/**
 * What each address is sent of `all`, in that order. Of recipients with the same address, such as one who became a member later, the first gets
 * what any of them gets, so that nobody reads anything twice.
 */
export function combineByAddress<Item>(
  recipients: readonly MailRecipient[],
  all: readonly Item[],
  isSent: (recipient: MailRecipient, item: Item) => boolean,
): Map<MailRecipient, Item[]> {
  const byAddress = [...groupBy(recipients, ({ to }) => to).values()];
  return new Map(
    byAddress.flatMap((same) => {
      const own = all.filter((item) => same.some((recipient) => isSent(recipient, item)));
      return same[0] === undefined || own.length === 0 ? [] : [[same[0], own]];
    }),
  );
}

type Alert = {
  organizationId: string;
  recipients: Iterable<MailRecipient>;
  thread: MailThread | null;
  /** APP_URL; null: mails carry no links. */
  appUrl: string | null;
};

/** What a recipient is emailed. */
type AlertContent = {
  content: MailContent;
  /** The open incidents that it is about. */
  incidentIds: readonly string[];
};

/** Queues an alert for each recipient, with links that acknowledge its incidents and turn alerts off for them. `contentFor` returns null for those it does not concern. */
export async function queueAlerts(
  tx: Transaction,
  services: Services,
  { organizationId, recipients, thread, appUrl }: Alert,
  contentFor: (recipient: MailRecipient) => AlertContent | null,
): Promise<void> {
  const mails = [...recipients].flatMap((recipient) => {
    const alert = contentFor(recipient);
    if (alert === null) return [];
    const { content, incidentIds } = alert;
    const { id: userId, to } = recipient;
    const own = {
      ...content,
      blocks: [...content.blocks, ...acknowledging(services, { appUrl, incidentIds }, recipient)],
      ...unsubscribing(services, appUrl, { organizationId, userId }),
    };
    return { organizationId, kind: 'alert', to, content: own, thread };
  });
  await queueMails(tx, services, mails);
}

function acknowledging(
  { keyring, clock }: Services,
  { appUrl, incidentIds }: Pick<Alert, 'appUrl'> & Pick<AlertContent, 'incidentIds'>,
  { id: userId, acknowledges }: MailRecipient,
): MailBlock[] {
  if (appUrl === null || incidentIds.length === 0 || !acknowledges) return [];
  const url = acknowledgeUrl(keyring, appUrl, { incidentIds, userId, now: clock.now() });
  return [{ list: [{ text: 'Acknowledge', detail: 'tells your team that you are on it', url }] }];
}

function unsubscribing(
  { keyring }: Services,
  appUrl: string | null,
  member: { organizationId: string; userId: string },
): Pick<MailContent, 'unsubscribeUrl' | 'unsubscribeLabel'> {
  if (appUrl === null) return {};
  return {
    unsubscribeUrl: memberUnsubscribeUrl(keyring, appUrl, { ...member, list: 'alerts' }),
    unsubscribeLabel: 'Turn off alert emails',
  };
}
