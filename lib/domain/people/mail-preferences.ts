import { DomainError, requireFound } from '@/lib/core/errors';
import type { Keyring } from '@/lib/core/keyring';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext, Role } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import type { MemberLink } from '@/lib/schemas/people';
import { isMemberLink } from './unsubscribe-link';

/** What a member receives from an organization by email. */
export type MailPreferences = { alertMail: boolean };

/** The user's own membership, which requires no permission. */
type Own = Pick<OrganizationContext, 'db' | 'clock' | 'organizationId' | 'address'>;

const select = { alertMail: true } as const;

/** What the user receives from this organization by email. */
export async function readMailPreferences(
  { db, organizationId }: Pick<Own, 'db' | 'organizationId'>,
  userId: string,
): Promise<MailPreferences> {
  const where = { organizationId_userId: { organizationId, userId } };
  return (await db.membership.findUnique({ where, select })) ?? { alertMail: false };
}

/** Changes that; recorded in the audit log. Nothing happens if the user is no longer a member. */
export async function changeMailPreferences(
  { db, ...own }: Own,
  userId: string,
  wanted: MailPreferences,
): Promise<void> {
  await db.$transaction((tx) => write(tx, own, userId, wanted));
}

async function write(
  tx: Transaction,
  { organizationId, clock, address = null }: Omit<Own, 'db'>,
  userId: string,
  wanted: MailPreferences,
): Promise<void> {
  const [member] = await tx.$queryRaw<(MailPreferences & { role: Role; email: string })[]>`
    SELECT alert_mail AS "alertMail", role::text AS role, email
      FROM membership JOIN "user" ON "user".id = user_id
     WHERE organization_id = ${organizationId} AND user_id = ${userId} FOR NO KEY UPDATE OF membership`;
  if (!member || member.alertMail === wanted.alertMail) return;
  const { role, email, ...before } = member;
  await tx.membership.updateMany({ where: { organizationId, userId }, data: wanted });
  const actor = { kind: 'user' as const, userId, role };
  await recordAudit(
    tx,
    { organizationId, actor, clock, address },
    { action: 'member.change-email', subject: { id: userId, label: email }, before, after: { ...wanted } },
  );
}

/** The organization of a link in an alert, and whether its member receives alerts. Throws NOT_FOUND for a link that is not valid. */
export async function readMemberLink(
  { db, keyring }: Pick<Services, 'db' | 'keyring'>,
  link: MemberLink,
): Promise<{ organizationName: string } & MailPreferences> {
  requireMemberLink(keyring, link);
  const { organization: id, user: userId } = link;
  const found = await db.organization.findUnique({ where: { id }, select: { name: true } });
  const { name: organizationName } = requireFound(found, 'Organization');
  return { organizationName, ...(await readMailPreferences({ db, organizationId: id }, userId)) };
}

/** Turns off the alerts of the member of a link, who need not be signed in. Throws NOT_FOUND for a link that is not valid. */
export async function turnOffAlerts(
  { db, clock, keyring }: Pick<Services, 'db' | 'clock' | 'keyring'>,
  link: MemberLink,
  address: string | null,
): Promise<void> {
  requireMemberLink(keyring, link);
  const own = { db, clock, organizationId: link.organization, address };
  await changeMailPreferences(own, link.user, { alertMail: false });
}

function requireMemberLink(keyring: Keyring, link: MemberLink): void {
  if (isMemberLink(keyring, link)) return;
  throw new DomainError('NOT_FOUND', 'This link is not valid. Open it from the email again.');
}
