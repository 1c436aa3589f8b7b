import { groupBy } from '@/lib/core/groups';
import type { Services } from '@/lib/domain/context/services';
import { acknowledgeUrl } from '@/lib/domain/incidents/acknowledge/acknowledge-link';
import { toPush } from '@/lib/domain/notices/notice-push';
import { memberUnsubscribeUrl } from '@/lib/domain/people/unsubscribe-link';
import { isLive } from '@/lib/domain/push/list-browsers';
import { queuePushes, tagOf } from '@/lib/domain/push/queue-pushes';
import type { Transaction } from '@/lib/platform/db/client';
import {
  type MailBlock,
  type MailContent,
  type MailThread,
  queueMails,
} from '@/lib/platform/mail/queue-mail';
import { type Rule, storedRulesSchema } from '@/lib/schemas/webhooks/rules';

/** Who wants alerts about monitors and incidents: a member, or an address without an account. */
export type MailRecipient = {
  /** The ID of the user or email recipient. */
  id: string;
  /** Whether they can sign in. Others get only what is about monitors, without links to the dashboard. */
  isMember: boolean;
  /** The email address; null: not by email. */
  to: string | null;
  /** The IDs of the subscriptions of their browsers. */
  browsers: string[];
  /** Whether they can change the organization itself. */
  manages: boolean;
  /** Whether they can acknowledge incidents. */
  acknowledges: boolean;
  /** Which alerts about monitors they want; all without rules. */
  rules: Rule[];
};

/**
 * Who wants the alerts of an organization by email or in a browser, in a fixed number of statements: members in the order in which they joined,
 * then, while email is on, the addresses without an account that were confirmed, oldest first.
 */
export async function findRecipients(
  tx: Transaction,
  { mail, clock }: Pick<Services, 'mail' | 'clock'>,
  organizationId: string,
): Promise<MailRecipient[]> {
  const session = isLive(clock.now());
  const memberships = await tx.membership.findMany({
    where: {
      organizationId,
      OR: [...(mail.isOn ? [{ alertMail: true }] : []), { pushSubscriptions: { some: { session } } }],
    },
    select: {
      role: true,
      userId: true,
      alertMail: true,
      alertRules: true,
      user: { select: { email: true } },
      pushSubscriptions: { where: { session }, select: { id: true } },
    },
    orderBy: { createdAt: 'asc' },
  });
  const others = mail.isOn
    ? await tx.emailRecipient.findMany({
        where: { organizationId, enabled: true, confirmedAt: { not: null }, unsubscribedAt: null },
        select: { id: true, email: true, rules: true },
        orderBy: [{ createdAt: 'asc' }, { number: 'asc' }],
      })
    : [];
  const members = memberships.map(({ role, userId, alertMail, alertRules, user, pushSubscriptions }) => ({
    id: userId,
    isMember: true,
    to: alertMail && mail.isOn ? user.email : null,
    browsers: pushSubscriptions.map(({ id }) => id),
    manages: role === 'admin' || role === 'owner',
    acknowledges: role !== 'viewer',
    rules: storedRulesSchema.parse(alertRules),
  }));
  const outside = others.map(({ id, email, rules }) => ({
    id,
    isMember: false,
    to: email,
    browsers: [],
    manages: false,
    acknowledges: false,
    rules: storedRulesSchema.parse(rules),
  }));
  return [...members, ...outside];
}

type Emailed = MailRecipient & { to: string };

function isEmailed(recipient: MailRecipient): recipient is Emailed {
  return recipient.to !== null;
}

/**
 * What each address is sent of `all`, in that order. Of recipients with the same address, such as one who became a member later, the first gets
 * what any of them gets, so that nobody reads anything twice.
 */
export function combineByAddress<Item>(
  recipients: readonly MailRecipient[],
  all: readonly Item[],
  isSent: (recipient: MailRecipient, item: Item) => boolean,
): Map<Emailed, Item[]> {
  const byAddress = [...groupBy(recipients.filter(isEmailed), ({ to }) => to).values()];
  return new Map(
    byAddress.flatMap((same) => {
      const own = all.filter((item) => same.some((recipient) => isSent(recipient, item)));
      return same[0] === undefined || own.length === 0 ? [] : [[same[0], own]];
    }),
  );
}

type Alert = {
  organizationId: string;
  recipients: Iterable<Emailed>;
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
  contentFor: (recipient: Emailed) => AlertContent | null,
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
  if (mails.length > 0) await queueMails(tx, services, mails);
}

/** What a browser shows: the content of an email whose links are paths. */
type PushedContent = AlertContent & {
  /** The IDs of its incidents, or of what else it is about. */
  about: readonly string[];
};

/**
 * Queues an alert for each browser of the recipients, with what acknowledges its incidents. A later one about the same replaces it. `contentFor`
 * returns null for those it does not concern.
 */
export async function queueAlertPushes(
  tx: Transaction,
  services: Services,
  { organizationId, recipients }: { organizationId: string; recipients: readonly MailRecipient[] },
  contentFor: (recipient: MailRecipient) => PushedContent | null,
): Promise<void> {
  const { keyring, clock } = services;
  const pushes = recipients.flatMap((recipient) => {
    const { id: userId, browsers, acknowledges } = recipient;
    const alert = browsers.length === 0 ? null : contentFor(recipient);
    if (alert === null) return [];
    const { content, incidentIds, about } = alert;
    const link = { incidentIds, userId, now: clock.now() };
    const acknowledge =
      acknowledges && incidentIds.length > 0 ? new URL(acknowledgeUrl(keyring, ORIGIN, link)).search : null;
    const shown = { ...toPush(content), tag: tagOf(organizationId, about), acknowledge };
    return browsers.map((subscriptionId) => ({ subscriptionId, content: shown }));
  });
  await queuePushes(tx, services, pushes);
}

/** Of links in browsers, which know the origin of the dashboard. */
const ORIGIN = 'https://pharos.invalid';

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
