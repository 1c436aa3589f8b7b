import type { MailContent } from '@/lib/platform/mail/queue-mail';

const NOT_YOU =
  'If this was not you, reset your password immediately and contact an owner of your organization.';

/** An email about a change of the person's second factor. `appUrl`: null for an email without a link. */
export function composeFactorMail(appUrl: string | null, subject: string, paragraph: string): MailContent {
  const url = `${appUrl}/settings/profile#second-factor`;
  return {
    subject,
    blocks: [{ paragraph: `${paragraph} ${NOT_YOU}` }],
    ...(appUrl === null ? {} : { button: { label: 'Open your profile', url } }),
    footnote: 'You receive this email for the security of your account.',
  };
}

/** After an authenticator app was set up. `isFirst`: it is the person's first second factor. */
export function appAddedMail(appUrl: string | null, { isFirst }: { isFirst: boolean }): MailContent {
  const effect = isFirst ? ' Signing in now requires a code, and your other sessions were ended.' : '';
  const text = `An authenticator app was set up for your account.${effect}`;
  return composeFactorMail(appUrl, 'A second factor was set up', text);
}

/** After the person removed it. `isLast`: they have no second factor now. */
export function appRemovedMail(appUrl: string | null, { isLast }: { isLast: boolean }): MailContent {
  const effect = isLast ? ' Signing in no longer requires a code.' : '';
  const text = `The authenticator app of your account was removed.${effect}`;
  return composeFactorMail(appUrl, 'Your authenticator app was removed', text);
}

/** After somebody else reset it: `by` is their address; null: the operator of the service. */
export function factorResetMail(appUrl: string | null, by: string | null): MailContent {
  const text = `${by ?? 'The operator of this service'} reset the second factor of your account and ended your sessions: your authenticator app, passkeys and recovery codes no longer work. Set up a new second factor soon.`;
  return composeFactorMail(appUrl, 'Your second factor was reset', text);
}

/** After new recovery codes were created. */
export function recoveryCodesReplacedMail(appUrl: string | null): MailContent {
  const text = 'New recovery codes were created for your account. The previous ones no longer work.';
  return composeFactorMail(appUrl, 'Your recovery codes were replaced', text);
}

/** After a recovery code was used; `left` is how many remain. */
export function recoveryCodeUsedMail(appUrl: string | null, left: number): MailContent {
  const text = `A recovery code was used in place of your second factor. ${left} of your codes are left. You can create new ones in your profile.`;
  return composeFactorMail(appUrl, 'A recovery code was used', text);
}
