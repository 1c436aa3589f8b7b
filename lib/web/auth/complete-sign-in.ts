import 'server-only';
import { DomainError, invalidState } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { newBrowserMail } from '@/lib/domain/people/account-mails';
import { consumePasskey, type PasskeyUse } from '@/lib/domain/people/passkeys/use-passkey';
import { consumeSecondFactor, type FactorProof } from '@/lib/domain/people/second-factor/use-second-factor';
import { createSession, type Visitor } from '@/lib/domain/people/sessions';
import { decideSignIn } from '@/lib/domain/people/sign-in/decide-sign-in';
import {
  endPendingSignIn,
  openPendingSignIn,
  type Proof,
  readPendingSignIn,
} from '@/lib/domain/people/sign-in/pending-sign-ins';
import { type PersonFacts, readSignInFacts } from '@/lib/domain/people/sign-in/read-sign-in-facts';
import type { OpenWays } from '@/lib/domain/people/sign-in/ways-in';
import type { Transaction } from '@/lib/platform/db/client';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { formatBrowser } from './format-browser';
import { guardFactor, wrongPasskey } from './guard-factor';
import type { PasswordThrottle } from './password-throttle';
import { readKnownBrowser } from './session';

/** What became of a sign-in. The token of a pending one goes into a cookie, like the session. */
export type SignInOutcome =
  | { kind: 'session'; sessionId: string; email: string }
  | { kind: 'pending'; lacks: 'second factor' | 'enrollment'; token: string };

/** Where somebody signs in from. */
export type SignInPlace = Visitor & {
  /** As returned by `countedAddress`. */
  countedAddress: string | null;
  /** The known-browser cookie. */
  knownBrowser: string | undefined;
};

type Web = { services: Services; throttle: PasswordThrottle };

/** A pending sign-in, and what a person uses to end it. */
type WithFactor = { token: string; factor: FactorProof };

/**
 * Where every way to sign in meets: the caller has verified that the visitor is `proof.userId`, by `proof.method`, and this
 * decides what is still missing. Creates the session, or a pending sign-in that lasts ten minutes. Throws FORBIDDEN for a person
 * with neither an organization nor an invitation. The first sign-in of a browser is mailed to the person.
 */
export async function completeSignIn(
  services: Services,
  proof: Proof,
  place: SignInPlace,
): Promise<SignInOutcome> {
  return services.db.$transaction((tx) => admit(tx, services, proof, place));
}

/**
 * Signs in with a passkey alone; whose it is follows from its signature. Throws FORBIDDEN if that is not among the `ways` of this
 * service, VALIDATION_ERROR if the signature does not count, and like `completeSignIn`.
 */
export async function signInWithPasskey(
  services: Services,
  { use, ways }: { use: PasskeyUse; ways: OpenWays },
  place: SignInPlace,
): Promise<SignInOutcome> {
  if (!ways.passkeys) throw new DomainError('FORBIDDEN', 'This service has no sign-in with a passkey.');
  return services.db.$transaction(async (tx) => {
    const userId = await consumePasskey(tx, services, use);
    if (userId === null) throw wrongPasskey();
    return admit(tx, services, { userId, method: 'passkey' }, place);
  });
}

async function admit(
  tx: Transaction,
  services: Services,
  proof: Proof,
  place: SignInPlace,
): Promise<SignInOutcome> {
  const person = await readPerson(tx, services, proof);
  const decision = decideSignIn({ ...person, method: proof.method, isFactorProven: false });
  switch (decision) {
    case 'refused':
      throw refused();
    case 'session': {
      const isFactorProven = proof.method === 'passkey';
      return startSession(tx, services, { proof, person, place, isFactorProven });
    }
    default: {
      const token = await openPendingSignIn(tx, proof, services.clock.now());
      return { kind: 'pending', lacks: decision, token };
    }
  }
}

/** Whose sign-in is pending, what it lacks, and which second factors the person has. */
export type PendingPerson = {
  userId: string;
  email: string;
  lacks: 'second factor' | 'enrollment';
  hasApp: boolean;
  hasPasskey: boolean;
};

/** The person of a pending sign-in, as of now; null if it has ended. */
export async function readPending(services: Services, token: string): Promise<PendingPerson | null> {
  const now = services.clock.now();
  return services.db.$transaction(async (tx) => {
    const proof = await readPendingSignIn(tx, token, now);
    const person = proof && (await readSignInFacts(tx, proof.userId, now));
    if (!proof || !person) return null;
    const lacks = person.hasFactor ? 'second factor' : 'enrollment';
    const { email, hasApp, hasPasskey } = person;
    return { userId: proof.userId, email, lacks, hasApp, hasPasskey };
  });
}

/**
 * Ends a pending sign-in with a second factor. Throws UNAUTHORIZED if it has ended, VALIDATION_ERROR for a wrong one,
 * RATE_LIMITED after too many.
 */
export async function finishWithFactor(
  { services, throttle }: Web,
  { token, factor }: WithFactor,
  place: SignInPlace,
): Promise<SignInOutcome> {
  const pending = await readPending(services, token);
  if (pending === null) throw ended();
  const user = { id: pending.userId, email: pending.email };
  return guardFactor({ services, throttle }, { user, factor, place }, () =>
    services.db.$transaction(async (tx) => {
      const proof = await requirePending(tx, services, token);
      const person = await readPerson(tx, services, proof);
      if (!(await consumeSecondFactor(tx, services, { user, factor, address: place.address }))) return null;
      if (!(await endPendingSignIn(tx, token, services.clock.now()))) throw ended();
      return startSession(tx, services, { proof, person, place, isFactorProven: true });
    }),
  );
}

/** Sets a second factor up in the transaction of the sign-in that lacks it, and returns the recovery codes. */
type SetUp = (tx: Transaction, user: { id: string; email: string }) => Promise<string[]>;

/**
 * Ends a pending sign-in by setting up the first second factor; returns the recovery codes, too. Throws UNAUTHORIZED if it has ended,
 * VALIDATION_ERROR for a person who has one, which they must use instead, and whatever `setUp` throws, which undoes the end.
 */
export async function finishWithEnrollment(
  services: Services,
  { token, setUp }: { token: string; setUp: SetUp },
  place: SignInPlace,
): Promise<{ outcome: SignInOutcome; recoveryCodes: string[] }> {
  return services.db.$transaction(async (tx) => {
    const proof = await requirePending(tx, services, token);
    const person = await readPerson(tx, services, proof);
    if (!(await endPendingSignIn(tx, token, services.clock.now()))) throw ended();
    if (person.hasFactor) throw invalidState('You already have a second factor. Sign in with it.');
    const recoveryCodes = await setUp(tx, { id: proof.userId, email: person.email });
    const outcome = await startSession(tx, services, { proof, person, place, isFactorProven: true });
    return { outcome, recoveryCodes };
  });
}

async function readPerson(tx: Transaction, { clock }: Services, { userId }: Proof): Promise<PersonFacts> {
  const person = await readSignInFacts(tx, userId, clock.now());
  if (person === null || person.belongs === 'nowhere') throw refused();
  return person;
}

async function requirePending(tx: Transaction, { clock }: Services, token: string): Promise<Proof> {
  const proof = await readPendingSignIn(tx, token, clock.now());
  if (proof === null) throw ended();
  return proof;
}

type Start = { proof: Proof; person: PersonFacts; place: SignInPlace; isFactorProven: boolean };

async function startSession(
  tx: Transaction,
  services: Services,
  { proof: { userId, method }, person: { email }, place, isFactorProven }: Start,
): Promise<SignInOutcome> {
  const { address, userAgent, knownBrowser } = place;
  const session = { userId, address, userAgent, isFactorProven };
  const sessionId = await createSession({ ...services, db: tx }, session);
  const isKnown = readKnownBrowser(services.keyring, email, knownBrowser) !== null;
  // Who has just created their account knows.
  if (!isKnown && method !== 'setup' && method !== 'invitation' && services.mail.isOn) {
    const content = newBrowserMail(services.appUrl, {
      browser: formatBrowser(userAgent),
      address,
      at: services.clock.now(),
    });
    await queueMail(tx, services, { organizationId: null, kind: 'account-security', to: email, content });
  }
  return { kind: 'session', sessionId, email };
}

function refused(): DomainError {
  return new DomainError(
    'FORBIDDEN',
    'You are not a member of any organization. Ask an admin to invite you.',
  );
}

function ended(): DomainError {
  return new DomainError('UNAUTHORIZED', 'This sign-in has ended. Sign in again.');
}
