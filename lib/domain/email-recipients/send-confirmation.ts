import { createHash, randomBytes } from 'node:crypto';
import { TooSoonError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { type MailContent, oneLine, queueMail, unlinked } from '@/lib/platform/mail/queue-mail';

/** Days until the link of a confirmation expires. */
export const CONFIRM_DAYS = 7;
/** The time between two confirmations to one recipient. */
const RESEND_AFTER_MS = 10 * 60_000;
/** Confirmations to one address in an hour, whichever organizations ask for it. */
export const MAX_TO_ADDRESS = 5;
/** Confirmations that an organization can send in an hour, so that nobody can flood inboxes. */
export const MAX_OF_ORGANIZATION = 100;
const HOUR_MS = 3_600_000;
const KIND = 'confirm-recipient';
const MAX_NAME = 80;

type Sender = Pick<Services, 'clock' | 'keyring' | 'mail' | 'appUrl'> & { organizationId: string };

/** The stored form of a token, which cannot be used to confirm. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

/**
 * Emails an address a link that confirms it. False: this service cannot send email, or does not know its own address. The caller holds the
 * organization. Throws RATE_LIMITED.
 */
export async function sendConfirmation(
  tx: Transaction,
  { organizationId, appUrl, ...services }: Sender,
  { id, email, requestedAt = null }: { id: string; email: string; requestedAt?: Date | null },
): Promise<boolean> {
  if (!services.mail.isOn || appUrl === null) return false;
  const now = services.clock.now();
  requireLater(requestedAt, now);
  await requireFew(tx, { organizationId, email, now });
  const token = randomBytes(32).toString('base64url');
  const data = { tokenHash: hashToken(token), requestedAt: now };
  await tx.emailRecipient.update({ where: { id }, data });
  const { name } = await tx.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { name: true },
  });
  const content = composeConfirmation(name, `${appUrl}/alerts/confirm?${new URLSearchParams({ token })}`);
  await queueMail(tx, services, { organizationId, kind: KIND, to: email, content });
  return true;
}

function requireLater(requestedAt: Date | null, now: Date): void {
  const ms = requestedAt === null ? 0 : requestedAt.getTime() + RESEND_AFTER_MS - now.getTime();
  if (ms > 0)
    throw new TooSoonError(
      'A confirmation was sent a few minutes ago. Try again later.',
      Math.ceil(ms / 1000),
    );
}

async function requireFew(
  tx: Transaction,
  { organizationId, email, now }: { organizationId: string; email: string; now: Date },
): Promise<void> {
  const since = new Date(now.getTime() - HOUR_MS);
  const [sent] = await tx.$queryRaw<{ toAddress: number; ofOrganization: number }[]>`
    SELECT (count(*) FILTER (WHERE recipient = ${email}))::int AS "toAddress",
           (count(*) FILTER (WHERE organization_id = ${organizationId}))::int AS "ofOrganization"
      FROM mail WHERE kind = ${KIND} AND created_at > ${since}`;
  const { toAddress = 0, ofOrganization = 0 } = sent ?? {};
  if (toAddress < MAX_TO_ADDRESS && ofOrganization < MAX_OF_ORGANIZATION) return;
  throw new TooSoonError(
    'Too many confirmations were sent in the last hour. Try again later.',
    HOUR_MS / 1000,
  );
}

/** The name of the organization is written so that it is no link: strangers choose it. */
function composeConfirmation(organizationName: string, url: string): MailContent {
  const name = unlinked(oneLine(organizationName, MAX_NAME));
  return {
    subject: `Confirm alerts of ${name}`,
    preheader: 'Nothing is sent to this address until you confirm it.',
    blocks: [
      { paragraph: `${name} wants to send alerts to this address when its monitors go down or recover.` },
      { paragraph: `Nothing is sent until you confirm it. The link works for ${CONFIRM_DAYS} days.` },
    ],
    button: { label: 'Review and confirm', url },
    footnote: 'If you do not expect this, ignore this email. You will not get another one.',
  };
}
