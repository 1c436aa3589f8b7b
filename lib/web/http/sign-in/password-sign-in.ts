import 'server-only';
import { DomainError } from '@/lib/core/errors';
import { type PasskeyProblem, readRelyingParty } from '@/lib/domain/people/passkeys/relying-party';
import type { OpenWays } from '@/lib/domain/people/sign-in/ways-in';
import { getEnvironment } from '@/lib/env';
import { getWeb } from '../server-services';

/** Whether people of this installation sign in with passwords, or with providers only. */
export function isPasswordSignInOn(): boolean {
  return getEnvironment().PASSWORD_SIGN_IN === 'on';
}

/** The ways to sign in, other than providers, that this installation has: without passwords, its providers decide who gets in. */
export function readOpenWays(): OpenWays {
  const isOn = isPasswordSignInOn();
  const party = readRelyingParty(getWeb().services.appUrl);
  return { passwords: isOn, passkeys: isOn && typeof party !== 'string' };
}

/** Throws FORBIDDEN where passwords are off. Whatever checks, sets or mails about one for a visitor calls this first. */
export function requirePasswordSignIn(): void {
  if (isPasswordSignInOn()) return;
  throw new DomainError('FORBIDDEN', 'Passwords are turned off on this service. Sign in with a provider.');
}

const PROBLEMS: Record<PasskeyProblem, string> = {
  'no address': 'Passkeys need the address of this service. Its operator can set it as APP_URL.',
  insecure: 'Passkeys need https. The operator of this service can set it up, and change APP_URL.',
  'ip address': 'Passkeys need a domain name. The APP_URL of this service is an IP address.',
};

/** Why people cannot use passkeys on this installation; null if they can. */
export function readPasskeyProblem(): string | null {
  const party = readRelyingParty(getWeb().services.appUrl);
  return typeof party === 'string' ? PROBLEMS[party] : null;
}
