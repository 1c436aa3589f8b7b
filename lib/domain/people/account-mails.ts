import type { MailContent } from '@/lib/platform/mail/queue-mail';

const NOT_YOU = 'If you did not request this, you can ignore this email.';

type Button = { label: string; url: string };

function composeMail(subject: string, paragraph: string, button: Button): MailContent {
  return { subject, blocks: [{ paragraph }], button, footnote: NOT_YOU };
}

/** The email with a password reset link. */
export function resetMail(url: string): MailContent {
  const text =
    'Someone requested a password reset for this address. The link works once and expires in one hour.';
  return composeMail('Reset your password', text, { label: 'Reset password', url });
}

/** The email with the link that confirms an address, before the account is created. */
export function confirmSignUpMail(url: string): MailContent {
  const text = 'Confirm your address to create your account. The link works once and expires in one hour.';
  return composeMail('Confirm your email address', text, { label: 'Confirm email address', url });
}

/** The email after a sign-up with an address that already has an account. */
export function accountExistsMail(appUrl: string): MailContent {
  const text =
    'Someone tried to sign up with this address, but it already has an account. Sign in, or reset your password on the sign-in page.';
  return composeMail('You already have an account', text, { label: 'Sign in', url: `${appUrl}/sign-in` });
}

/** The email after the first sign-in of a browser; `appUrl`: null for an email without a link. */
export function newBrowserMail(
  appUrl: string | null,
  { browser, address, at }: { browser: string; address: string | null; at: Date },
): MailContent {
  const time = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const origin = address === null ? '' : ` from ${address}`;
  const paragraph = `Someone signed in to your account with ${browser}${origin}, at ${time}. If this was not you, end the session in your profile and change your password immediately.`;
  return {
    subject: 'New sign-in to your account',
    blocks: [{ paragraph }],
    ...(appUrl === null
      ? {}
      : { button: { label: 'Review your sessions', url: `${appUrl}/settings/profile#sessions` } }),
    footnote: 'You receive this email for the security of your account.',
  };
}

/** The email after a password change. `appUrl`: null for an email without a link. */
export function passwordChangedMail(appUrl: string | null): MailContent {
  const paragraph =
    'The password of your account was changed, and your other sessions were ended. If this was not you, reset your password immediately and contact an admin.';
  return {
    subject: 'Your password was changed',
    blocks: [{ paragraph }],
    ...(appUrl === null ? {} : { button: { label: 'Reset password', url: `${appUrl}/forgot-password` } }),
    footnote: 'You receive this email for the security of your account.',
  };
}

/** The email after a way to sign in was added or removed. `appUrl`: null for an email without a link. */
export function signInMethodMail({
  method,
  what,
  appUrl,
}: {
  method: string;
  what: 'added' | 'removed';
  appUrl: string | null;
}): MailContent {
  const link = what === 'added' ? 'was linked to' : 'is no longer linked to';
  return {
    subject: `Sign-in with ${method} was ${what}`,
    blocks: [
      {
        paragraph: `An account at ${method} ${link} your account. If this was not you, check your profile and reset your password immediately, and contact an admin.`,
      },
    ],
    ...(appUrl === null ? {} : { button: { label: 'View profile', url: `${appUrl}/settings/profile` } }),
    footnote: 'You receive this email for the security of your account.',
  };
}

/** The email after an account was deleted. */
export function accountDeletedMail(): MailContent {
  return {
    subject: 'Your account was deleted',
    blocks: [
      {
        paragraph:
          'Your account and everything about it was deleted. What you did in organizations stays there without your name. If this was not you, contact an admin.',
      },
    ],
    footnote: 'This is the last email about your account.',
  };
}
