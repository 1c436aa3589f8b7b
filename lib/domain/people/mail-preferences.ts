import { DomainError, requireFound } from '@/lib/core/errors';
import { ID_PREFIXES } from '@/lib/core/ids';
import type { Keyring } from '@/lib/core/keyring';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext, Role } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import { readRecipient, unsubscribeRecipient } from '@/lib/domain/email-recipients/confirm-recipient';
import { requireRuleMonitors } from '@/lib/domain/organizations/require-rule-monitors';
import type { Transaction } from '@/lib/platform/db/client';
import type { MailPreferences, MemberLink } from '@/lib/schemas/people';
import { nextDigestAt } from '@/lib/schemas/reports/digest-week';
import { storedRulesSchema } from '@/lib/schemas/webhooks/rules';
import { isMemberLink } from './unsubscribe-link';

/** The user's own membership, which requires no permission. */
type Own = Pick<OrganizationContext, 'db' | 'clock' | 'organizationId' | 'address'>;

type Membership = MailPreferences & { role: Role; email: string };

const NOTHING: MailPreferences = { alertMail: false, alertRules: [], digestTimeZone: null };

/** What the user receives from this organization by email: nothing if they are not a member. */
export async function readMailPreferences(
  { db, organizationId }: Pick<Own, 'db' | 'organizationId'>,
  userId: string,
): Promise<MailPreferences> {
  const membership = await db.membership.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
    select: { alertMail: true, alertRules: true, digestMail: { select: { timeZone: true, nextAt: true } } },
  });
  if (membership === null) return NOTHING;
  const { alertMail, alertRules, digestMail } = membership;
  const rules = storedRulesSchema.parse(alertRules);
  return { alertMail, alertRules: rules, digestTimeZone: digestMail?.nextAt ? digestMail.timeZone : null };
}

/**
 * Changes that; recorded in the audit log. Nothing happens if the user is no longer a member. Throws UNKNOWN_MONITOR for one that the rules
 * did not name before.
 */
export async function changeMailPreferences(
  { db, ...own }: Own,
  userId: string,
  changes: Partial<MailPreferences>,
): Promise<void> {
  await db.$transaction((tx) => write(tx, own, userId, changes));
}

async function write(
  tx: Transaction,
  { organizationId, clock, address = null }: Omit<Own, 'db'>,
  userId: string,
  changes: Partial<MailPreferences>,
): Promise<void> {
  const [member] = await tx.$queryRaw<Membership[]>`
    SELECT alert_mail AS "alertMail", alert_rules AS "alertRules",
           CASE WHEN next_at IS NOT NULL THEN time_zone END AS "digestTimeZone", role::text AS role, email
      FROM membership
      JOIN "user" ON "user".id = membership.user_id
      LEFT JOIN digest_mail AS digest USING (organization_id, user_id)
     WHERE organization_id = ${organizationId} AND user_id = ${userId}
       FOR NO KEY UPDATE OF membership`;
  if (!member) return;
  const { role, email, ...before } = member;
  const after = { ...before, ...changes };
  const { alertMail, alertRules, digestTimeZone } = after;
  const stored = storedRulesSchema.parse(before.alertRules);
  await requireRuleMonitors(tx, organizationId, changes.alertRules ?? [], stored);
  await tx.membership.updateMany({ where: { organizationId, userId }, data: { alertMail, alertRules } });
  if (digestTimeZone !== before.digestTimeZone) {
    await writeDigest(tx, { organizationId, userId }, digestTimeZone, clock.now());
  }
  const actor = { kind: 'user' as const, userId, role };
  const action = { action: 'member.change-email' as const, subject: { id: userId, label: email } };
  await recordAudit(tx, { organizationId, actor, clock, address }, { ...action, before, after });
}

/** The row stays when the digest is turned off: it has the last week in which one was sent. */
async function writeDigest(
  tx: Transaction,
  member: { organizationId: string; userId: string },
  timeZone: string | null,
  now: Date,
): Promise<void> {
  if (timeZone === null) {
    await tx.digestMail.updateMany({ where: member, data: { nextAt: null } });
    return;
  }
  const wanted = { timeZone, nextAt: nextDigestAt(timeZone, now) };
  const where = { organizationId_userId: member };
  await tx.digestMail.upsert({ where, create: { ...member, ...wanted }, update: wanted });
}

/** The organization of a link in an email, and what its member or email recipient receives. Throws NOT_FOUND for a link that is not valid. */
export async function readMemberLink(
  { db, keyring }: Pick<Services, 'db' | 'keyring'>,
  link: MemberLink,
): Promise<{ organizationName: string } & MailPreferences> {
  requireMemberLink(keyring, link);
  const { organization: id, user: userId } = link;
  const found = await db.organization.findUnique({ where: { id }, select: { name: true } });
  const { name: organizationName } = requireFound(found, 'Organization');
  if (!isMember(userId)) {
    const recipient = await readRecipient({ db }, id, userId);
    return { organizationName, ...NOTHING, ...recipient };
  }
  return { organizationName, ...(await readMailPreferences({ db, organizationId: id }, userId)) };
}

/** Turns off what a link is about for its member, who need not be signed in, or for an email recipient. Throws NOT_FOUND for a link that is not valid. */
export async function unsubscribeMember(
  { db, clock, keyring }: Pick<Services, 'db' | 'clock' | 'keyring'>,
  link: MemberLink,
  address: string | null,
): Promise<void> {
  requireMemberLink(keyring, link);
  if (!isMember(link.user)) return unsubscribeRecipient({ db, clock }, link.organization, link.user);
  const own = { db, clock, organizationId: link.organization, address };
  await changeMailPreferences(
    own,
    link.user,
    link.list === 'alerts' ? { alertMail: false } : { digestTimeZone: null },
  );
}

/** Whether a link is for a member, and not for an email recipient. */
export function isMember(id: string): boolean {
  return !id.startsWith(`${ID_PREFIXES.emailRecipient}_`);
}

function requireMemberLink(keyring: Keyring, link: MemberLink): void {
  if (isMemberLink(keyring, link)) return;
  throw new DomainError('NOT_FOUND', 'This link is not valid. Open it from the email again.');
}
