import type { MailContent } from '@/lib/platform/mail/queue-mail';

const NOT_YOU = 'If it was not you, there is nothing to do: without the link nothing changes.';

/** The link to a new password. */
export function resetMail(url: string): MailContent {
  return {
    subject: 'Set a new password',
    blocks: [
      { paragraph: 'Somebody asked for a new password for this address. The link works once, for an hour.' },
    ],
    button: { label: 'Set a new password', url },
    footnote: NOT_YOU,
  };
}

/** The link that proves an address, before there is an account. */
export function confirmSignUpMail(url: string): MailContent {
  return {
    subject: 'Confirm your e-mail address',
    blocks: [{ paragraph: 'With this link you make your account. It works once, for an hour.' }],
    button: { label: 'Confirm and go on', url },
    footnote: NOT_YOU,
  };
}

/** The answer to a sign-up with an address that has an account. */
export function accountExistsMail(appUrl: string): MailContent {
  return {
    subject: 'You have an account already',
    blocks: [
      {
        paragraph:
          'Somebody wanted to sign up with this address. It has an account: sign in, or ask for a new password there.',
      },
    ],
    button: { label: 'Sign in', url: `${appUrl}/sign-in` },
    footnote: 'If it was not you, there is nothing to do.',
  };
}

/** Tells a person that their password is another one now. `appUrl`: null where no link can be made. */
export function passwordChangedMail(appUrl: string | null): MailContent {
  return {
    subject: 'Your password was changed',
    blocks: [
      {
        paragraph:
          'The password of your account was changed, and your other sessions have ended. If it was not you, ask for a new password at once and tell an admin.',
      },
    ],
    ...(appUrl === null ? {} : { button: { label: 'I did not do this', url: `${appUrl}/forgot-password` } }),
    footnote: 'You get this because a password is worth knowing about.',
  };
}
