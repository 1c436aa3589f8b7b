import type { MailContent } from '@/lib/platform/mail/queue-mail';

const NOT_YOU =
  'If this was not you, reset your password immediately and contact an owner of your organization.';

/** An email about a change of the person's second factor. `appUrl`: null for an email without a link. */
function composeMail(appUrl: string | null, subject: string, paragraph: string): MailContent {
  const url = `${appUrl}/settings/profile#second-factor`;
  return {
    subject,
    blocks: [{ paragraph: `${paragraph} ${NOT_YOU}` }],
    ...(appUrl === null ? {} : { button: { label: 'Open your profile', url } }),
    footnote: 'You receive this email for the security of your account.',
  };
}

/** After a second factor was set up. */
export function factorAddedMail(appUrl: string | null): MailContent {
  const text =
    'An authenticator app was set up for your account. Signing in now requires a code, and your other sessions were ended.';
  return composeMail(appUrl, 'A second factor was set up', text);
}

/** After the person removed it. */
export function factorRemovedMail(appUrl: string | null): MailContent {
  const text = 'The second factor of your account was removed. Signing in no longer requires a code.';
  return composeMail(appUrl, 'Your second factor was removed', text);
}

/** After somebody else reset it: `by` is their address; null: the operator of the service. */
export function factorResetMail(appUrl: string | null, by: string | null): MailContent {
  const text = `${by ?? 'The operator of this service'} reset the second factor of your account and ended your sessions. Signing in no longer requires a code. Set up a new second factor soon.`;
  return composeMail(appUrl, 'Your second factor was reset', text);
}

/** After new recovery codes were created. */
export function recoveryCodesReplacedMail(appUrl: string | null): MailContent {
  const text = 'New recovery codes were created for your account. The previous ones no longer work.';
  return composeMail(appUrl, 'Your recovery codes were replaced', text);
}

/** After a recovery code was used; `left` is how many remain. */
export function recoveryCodeUsedMail(appUrl: string | null, left: number): MailContent {
  const text = `A recovery code was used in place of your authenticator app. ${left} of your codes are left. You can create new ones in your profile.`;
  return composeMail(appUrl, 'A recovery code was used', text);
}
