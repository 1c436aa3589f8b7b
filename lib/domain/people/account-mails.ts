import type { MailContent } from '@/lib/platform/mail/queue-mail';

const NOT_YOU = 'If you did not request this, you can ignore this email.';

/** The email with a password reset link. */
export function resetMail(url: string): MailContent {
  return {
    subject: 'Reset your password',
    blocks: [
      {
        paragraph:
          'Someone requested a password reset for this address. The link works once and expires in one hour.',
      },
    ],
    button: { label: 'Reset password', url },
    footnote: NOT_YOU,
  };
}

/** The email with the link that confirms an address, before the account is created. */
export function confirmSignUpMail(url: string): MailContent {
  return {
    subject: 'Confirm your email address',
    blocks: [
      {
        paragraph:
          'Confirm your address to create your account. The link works once and expires in one hour.',
      },
    ],
    button: { label: 'Confirm email address', url },
    footnote: NOT_YOU,
  };
}

/** The email after a sign-up with an address that already has an account. */
export function accountExistsMail(appUrl: string): MailContent {
  return {
    subject: 'You already have an account',
    blocks: [
      {
        paragraph:
          'Someone tried to sign up with this address, but it already has an account. Sign in, or reset your password on the sign-in page.',
      },
    ],
    button: { label: 'Sign in', url: `${appUrl}/sign-in` },
    footnote: NOT_YOU,
  };
}

/** The email after a password change. `appUrl`: null for an email without a link. */
export function passwordChangedMail(appUrl: string | null): MailContent {
  return {
    subject: 'Your password was changed',
    blocks: [
      {
        paragraph:
          'The password of your account was changed, and your other sessions were ended. If this was not you, reset your password immediately and contact an admin.',
      },
    ],
    ...(appUrl === null ? {} : { button: { label: 'Reset password', url: `${appUrl}/forgot-password` } }),
    footnote: 'You receive this email for the security of your account.',
  };
}
