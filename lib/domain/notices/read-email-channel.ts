import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';

/** An email that was not sent: to whom, when it was queued, and what the mail server responded. */
export type FailedEmail = { recipient: string; at: Date; error: string };

/** Email as a channel of notifications to the members of an organization. */
export type EmailChannel = {
  /** `off`: this service cannot send email. `failing`: the latest emails were not sent. */
  status: 'off' | 'active' | 'failing';
  /** When an email was last sent to a member; null: none in the last 30 days. */
  lastSentAt: Date | null;
  /** The latest failure in the last 30 days, if no later email was sent. */
  failure: FailedEmail | null;
  /** Who receives alerts, in the order in which they joined. */
  recipients: { email: string; name: string | null }[];
  members: number;
};

type SentEmail = { recipient: string; createdAt: Date; sentAt: Date | null; error: string | null };

/** The latest emails that are looked at: those of one moment go to all members. */
const MAX_EMAILS = 200;

/** Reads the channel in two queries. Throws FORBIDDEN. */
export async function readEmailChannel(ctx: OrganizationContext): Promise<EmailChannel> {
  requirePermission(ctx, 'member.read');
  const { db, organizationId, mail } = ctx;
  const [memberships, emails] = await Promise.all([
    db.membership.findMany({
      where: { organizationId },
      select: { alertMail: true, user: { select: { email: true, name: true } } },
      orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
    }),
    db.$queryRaw<SentEmail[]>`
      SELECT recipient, created_at AS "createdAt", sent_at AS "sentAt", error
        FROM mail WHERE organization_id = ${organizationId} AND kind IN ('alert', 'test')
       ORDER BY created_at DESC LIMIT ${MAX_EMAILS}`,
  ]);
  const failure = findFailure(emails);
  return {
    status: mail.isOn ? (failure === null ? 'active' : 'failing') : 'off',
    lastSentAt: emails.find(({ sentAt }) => sentAt !== null)?.sentAt ?? null,
    failure,
    recipients: memberships.filter(({ alertMail }) => alertMail).map(({ user }) => user),
    members: memberships.length,
  };
}

/** The latest failure, unless an email that was queued with it or later was sent: then the address is at fault, not the channel. */
function findFailure(emails: readonly SentEmail[]): FailedEmail | null {
  const failed = emails.find(({ sentAt, error }) => sentAt === null && error !== null);
  if (!failed || failed.error === null) return null;
  const isOver = emails.some(({ sentAt, createdAt }) => sentAt !== null && createdAt >= failed.createdAt);
  return isOver ? null : { recipient: failed.recipient, at: failed.createdAt, error: failed.error };
}
