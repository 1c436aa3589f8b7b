import type { Services } from '@/lib/domain/context/services';

const HOUR_MS = 3_600_000;

/** How long a link that was asked for by mail is good. */
export const MAILED_LINK_MS = HOUR_MS;
/** How long a link is good that one person hands to another. */
export const HANDED_LINK_MS = 24 * HOUR_MS;

/** Where a password is reset, below the address of the app. */
export function resetPasswordPath(token: string): string {
  return `/reset-password?token=${token}`;
}

/** Where an account is made once its address is confirmed. */
export function confirmSignUpPath(token: string): string {
  return `/sign-up/confirm?token=${token}`;
}

/**
 * The address that links in mails begin with; null where none can be mailed. Only APP_URL will do: the Host of a request
 * is what the one who asks says it is, and the mail goes to somebody else.
 */
export function mailedLinkBase({ mail, appUrl }: Pick<Services, 'mail' | 'appUrl'>): string | null {
  return mail.isOn ? appUrl : null;
}
