import 'server-only';
import { DomainError } from '@/lib/core/errors';
import { getEnvironment } from '@/lib/env';

/** Whether people of this installation sign in with passwords, or with providers only. */
export function isPasswordSignInOn(): boolean {
  return getEnvironment().PASSWORD_SIGN_IN === 'on';
}

/** Throws FORBIDDEN where passwords are off. Whatever checks, sets or mails about one for a visitor calls this first. */
export function requirePasswordSignIn(): void {
  if (isPasswordSignInOn()) return;
  throw new DomainError('FORBIDDEN', 'Passwords are turned off on this service. Sign in with a provider.');
}
