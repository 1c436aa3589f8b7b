import { invalidState, requireFound, TooSoonError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { type MailContent, oneLine, queueMail } from '@/lib/platform/mail/queue-mail';

/** The user's own membership, which requires no permission. */
type Own = Pick<OrganizationContext, 'db' | 'clock' | 'keyring' | 'mail' | 'appUrl' | 'organizationId'>;

/** How a test email is doing. `error`: what the mail server responded, or why it could not be reached; null: nothing yet. */
export type TestMailOutcome = { isSent: boolean; isFinal: boolean; error: string | null };

/** How many a member can send themselves in an hour. */
export const MAX_TEST_MAILS = 5;
const HOUR_SECONDS = 3600;
const MAX_NAME = 100;

/**
 * Queues an email from the organization to the own address of the member, and returns it. Throws VALIDATION_ERROR if this service
 * cannot send email, and RATE_LIMITED after five in an hour.
 */
export async function sendTestMail(
  { db, organizationId, ...services }: Own,
  userId: string,
): Promise<string> {
  if (!services.mail.isOn)
    throw invalidState('This service cannot send email yet: no mail server is set up.');
  const since = new Date(services.clock.now().getTime() - HOUR_SECONDS * 1000);
  return db.$transaction(async (tx) => {
    // One at a time for each member.
    const [member] = await tx.$queryRaw<{ email: string; organizationName: string }[]>`
      SELECT email, organization.name AS "organizationName"
        FROM membership JOIN "user" ON "user".id = user_id JOIN organization ON organization.id = organization_id
       WHERE organization_id = ${organizationId} AND user_id = ${userId} FOR NO KEY UPDATE OF membership`;
    const { email, organizationName } = requireFound(member, 'Member');
    const sent = await tx.mail.findMany({
      where: { organizationId, kind: 'test', recipient: email, createdAt: { gt: since } },
      select: { createdAt: true },
      orderBy: { createdAt: 'asc' },
      take: MAX_TEST_MAILS,
    });
    const [oldest] = sent;
    if (oldest && sent.length === MAX_TEST_MAILS) {
      const wait = Math.ceil((oldest.createdAt.getTime() - since.getTime()) / 1000);
      throw new TooSoonError(
        `You sent yourself ${MAX_TEST_MAILS} test emails in the last hour. Try again later.`,
        wait,
      );
    }
    const content = composeTestMail(organizationName, services.appUrl);
    await queueMail(tx, services, { organizationId, kind: 'test', to: email, content });
    return email;
  });
}

function composeTestMail(organizationName: string, appUrl: string | null): MailContent {
  const name = oneLine(organizationName, MAX_NAME);
  const url = appUrl === null ? null : `${appUrl}/settings/profile#email`;
  return {
    subject: `Test email from ${name}`,
    blocks: [{ paragraph: `Email works: alerts of ${name} reach you at this address.` }],
    ...(url === null ? {} : { button: { label: 'View your email settings', url } }),
    footnote: 'You receive this email because you sent it to yourself.',
  };
}

/** How the latest test email to an address is doing; null if there is none. */
export async function readTestMail(
  { db, organizationId }: Pick<Own, 'db' | 'organizationId'>,
  recipient: string,
): Promise<TestMailOutcome | null> {
  const mail = await db.mail.findFirst({
    where: { organizationId, kind: 'test', recipient },
    select: { sentAt: true, failedAt: true, error: true },
    orderBy: { createdAt: 'desc' },
  });
  return mail && { isSent: mail.sentAt !== null, isFinal: mail.failedAt !== null, error: mail.error };
}
