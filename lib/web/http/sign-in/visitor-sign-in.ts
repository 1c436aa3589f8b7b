import 'server-only';
import { cookies } from 'next/headers';
import { SecondFactorNeeded } from '@/lib/domain/context/recent-factor';
import { readPasswordReset, resetPassword } from '@/lib/domain/people/passwords';
import { confirmEnrollment } from '@/lib/domain/people/second-factor/enroll-second-factor';
import type { FactorProof } from '@/lib/domain/people/second-factor/use-second-factor';
import { PENDING_SECONDS, type Proof } from '@/lib/domain/people/sign-in/pending-sign-ins';
import type { Transaction } from '@/lib/platform/db/client';
import {
  completeSignIn,
  finishWithEnrollment,
  finishWithFactor,
  readPending,
  type SignInOutcome,
  type SignInPlace,
} from '@/lib/web/auth/complete-sign-in';
import { confirmSession, guardFactor, wrongCode, wrongFactor } from '@/lib/web/auth/guard-factor';
import type { Session } from '@/lib/web/auth/session';
import { signIn } from '@/lib/web/auth/sign-in';
import { countedAddress } from '../address/request-address';
import {
  findVisitorPerson,
  readKnownBrowserCookie,
  readVisitor,
  setCookie,
  setKnownBrowserCookie,
  setSessionCookie,
} from '../dashboard-session';
import { getPasswordThrottle } from '../password-throttle';
import { getWeb } from '../server-services';
import { requirePasswordSignIn } from './password-sign-in';

/** Holds the token of a pending sign-in. */
const PENDING_COOKIE = 'pharos.pending-sign-in';

/**
 * Signs the sender of this request in by password, from the form or over next-auth's own path, and sets the cookies of the
 * outcome. Throws like `signIn`.
 */
export async function signInVisitor(input: unknown): Promise<SignInOutcome> {
  requirePasswordSignIn();
  return keepOutcome(await signIn(web(), input, await readPlace()));
}

/** The same for a person who was authenticated by something other than a password. Throws like `completeSignIn`. */
export async function signInVisitorBy(proof: Proof): Promise<SignInOutcome> {
  return keepOutcome(await completeSignIn(getWeb().services, proof, await readPlace()));
}

/** Ends the pending sign-in of this browser with a second factor, and sets the cookies. Throws like `finishWithFactor`. */
export async function finishVisitorSignIn(factor: FactorProof): Promise<void> {
  const token = (await readPendingCookie()) ?? '';
  await keepOutcome(await finishWithFactor(web(), { token, factor }, await readPlace()));
}

/** Whose sign-in is pending in this browser, and what it lacks; null if none is. */
export async function findPendingSignIn() {
  const token = await readPendingCookie();
  return token === undefined ? null : readPending(getWeb().services, token);
}

/** Who sets up a second factor in this browser: the person who is signed in, or else whose sign-in waits for it. */
type Enrolling = {
  userId: string;
  email: string;
  hasFactor: boolean;
  /** They have one, but did not use it recently in this session, or at all in this sign-in. */
  isFactorStale: boolean;
  isRequired: boolean;
  isSignedIn: boolean;
};

/** Null if nobody does. */
export async function findEnrolling(): Promise<Enrolling | null> {
  const person = await findVisitorPerson();
  if (person !== null) return { ...person, isRequired: person.lacksFactor, isSignedIn: true };
  const pending = await findPendingSignIn();
  if (pending === null) return null;
  const hasFactor = pending.lacks === 'second factor';
  return { ...pending, hasFactor, isFactorStale: hasFactor, isRequired: true, isSignedIn: false };
}

/** What setting up a second factor needs to know: the person, and the session that continues. */
export type EnrollingUser = {
  user: { id: string; email: string };
  keepSession?: string;
  address: string | null;
};

/**
 * Sets up a second factor of that person with `setUp`, and signs them in. Returns the recovery codes, if these are new. Throws
 * `SecondFactorNeeded` for a session without its second factor, and like `finishWithEnrollment`.
 */
export async function enrollVisitor(
  setUp: (tx: Transaction, enrolling: EnrollingUser) => Promise<string[]>,
): Promise<string[]> {
  const { services } = getWeb();
  const person = await findVisitorPerson();
  const place = await readPlace();
  const { address } = place;
  if (person === null) {
    const token = (await readPendingCookie()) ?? '';
    const { outcome, recoveryCodes } = await finishWithEnrollment(
      services,
      { token, setUp: (tx, user) => setUp(tx, { user, address }) },
      place,
    );
    await keepOutcome(outcome);
    return recoveryCodes;
  }
  if (person.isFactorStale) throw new SecondFactorNeeded();
  const user = { id: person.userId, email: person.email };
  return services.db.$transaction((tx) => setUp(tx, { user, keepSession: person.sessionId, address }));
}

/** Sets up the authenticator app of that person with its first code. Throws VALIDATION_ERROR for a wrong one. */
export async function enrollVisitorApp(code: string): Promise<string[]> {
  const { services } = getWeb();
  return enrollVisitor(async (tx, enrolling) => {
    const codes = await confirmEnrollment(tx, services, { ...enrolling, code });
    if (codes === null) throw wrongCode();
    return codes;
  });
}

/** Confirms the second factor in the session of this browser. Throws like `confirmSession`. */
export async function confirmVisitorSession(
  { id: sessionId, userId, email }: Session,
  factor: FactorProof,
): Promise<void> {
  const place = await readPlace();
  await confirmSession(web(), { user: { id: userId, email }, factor, place, sessionId });
}

/**
 * Sets a new password with the link of this request, after the second factor of people who have one. Throws like `resetPassword`
 * and `guardFactor`.
 */
export async function resetVisitorPassword(input: {
  token: string;
  password: string;
  factor?: FactorProof;
}): Promise<void> {
  const { services, throttle } = web();
  const place = await readPlace();
  const { userId, email, hasFactor } = await readPasswordReset(services, input.token);
  const reset = () => resetPassword(services, { ...input, address: place.address });
  const { factor = { code: '' } } = input;
  const attempt = { user: { id: userId, email }, factor, place };
  const done = hasFactor ? await guardFactor({ services, throttle }, attempt, reset) : await reset();
  if (done === null) throw wrongFactor(factor);
  await throttle.clear(email);
}

/** Where this request comes from. */
export async function readPlace(): Promise<SignInPlace> {
  const visitor = await readVisitor();
  return {
    ...visitor,
    countedAddress: visitor.address && countedAddress(visitor.address),
    knownBrowser: await readKnownBrowserCookie(),
  };
}

function web() {
  return { services: getWeb().services, throttle: getPasswordThrottle() };
}

async function readPendingCookie(): Promise<string | undefined> {
  return (await cookies()).get(PENDING_COOKIE)?.value;
}

/** Sets the cookies of an outcome. */
export async function keepOutcome(outcome: SignInOutcome): Promise<SignInOutcome> {
  if (outcome.kind === 'session') {
    await setSessionCookie(outcome.sessionId);
    await setKnownBrowserCookie(outcome.email);
    if ((await readPendingCookie()) !== undefined) await setCookie(PENDING_COOKIE, '', 0);
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
