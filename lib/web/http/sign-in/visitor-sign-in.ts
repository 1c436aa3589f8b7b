import 'server-only';
import { cookies } from 'next/headers';
import { PENDING_SECONDS, type Proof } from '@/lib/domain/people/sign-in/pending-sign-ins';
import { completeSignIn, type SignInOutcome } from '@/lib/web/auth/complete-sign-in';
import { signIn } from '@/lib/web/auth/sign-in';
import { countedAddress } from '../address/request-address';
import {
  readKnownBrowserCookie,
  readVisitor,
  setCookie,
  setKnownBrowserCookie,
  setSessionCookie,
} from '../dashboard-session';
import { getPasswordThrottle } from '../password-throttle';
import { getWeb } from '../server-services';

/** Holds the token of a pending sign-in. */
const PENDING_COOKIE = 'pharos.pending-sign-in';

/**
 * Signs the sender of this request in by password, from the form or over next-auth's own path, and sets the cookies of the
 * outcome. Throws like `signIn`.
 */
export async function signInVisitor(input: unknown): Promise<SignInOutcome> {
  const visitor = await readVisitor();
  const outcome = await signIn({ services: getWeb().services, throttle: getPasswordThrottle() }, input, {
    ...visitor,
    countedAddress: visitor.address && countedAddress(visitor.address),
    knownBrowser: await readKnownBrowserCookie(),
  });
  return keepOutcome(outcome);
}

/** The same for a person who was authenticated by something other than a password. Throws like `completeSignIn`. */
export async function signInVisitorBy(proof: Proof): Promise<SignInOutcome> {
  return keepOutcome(await completeSignIn(getWeb().services, proof, await readVisitor()));
}

async function keepOutcome(outcome: SignInOutcome): Promise<SignInOutcome> {
  if (outcome.kind === 'session') {
    await setSessionCookie(outcome.sessionId);
    await setKnownBrowserCookie(outcome.email);
    if ((await cookies()).has(PENDING_COOKIE)) await setCookie(PENDING_COOKIE, '', 0);
  } else {
    await setCookie(PENDING_COOKIE, outcome.token, PENDING_SECONDS);
  }
  return outcome;
}

/** Where a sign-in continues: at the page that was requested, or with what is still missing. */
export function pathAfter(outcome: SignInOutcome, callbackUrl: string): string {
  if (outcome.kind === 'session') return callbackUrl;
  const page = outcome.lacks === 'enrollment' ? '/sign-in/set-up-second-factor' : '/sign-in/second-factor';
  return `${page}?${new URLSearchParams({ callbackUrl })}`;
}
