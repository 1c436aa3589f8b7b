import type { MailContent } from '@/lib/platform/mail/mail-content';
import { oneLine } from '@/lib/platform/mail/one-line';
import type { MemberRole } from '@/lib/schemas/member';

const MOST_NAME = 100;

/** The mail that carries an invitation's link. */
export function composeInvitationMail({
  organizationName,
  invitedBy,
  role,
  url,
  expiresAt,
}: {
  organizationName: string;
  /** The address of who invites; null: an API key or the operator. */
  invitedBy: string | null;
  role: MemberRole;
  url: string;
  expiresAt: Date;
}): MailContent {
  const organization = oneLine(organizationName, MOST_NAME);
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    subject: `Invitation to ${organization}`,
    preheader: `Join ${organization} as ${role}.`,
    blocks: [
      {
        paragraph:
          invitedBy === null
            ? `You are invited to join ${organization} as ${role}.`
            : `${oneLine(invitedBy, MOST_NAME)} invites you to join ${organization} as ${role}.`,
      },
      { paragraph: `The link works once, until ${until}. If you expect no invitation, ignore this mail.` },
    ],
    button: { label: 'Look at the invitation', url },
    footnote: 'You get this mail because somebody typed your address into an invitation.',
  };
}
