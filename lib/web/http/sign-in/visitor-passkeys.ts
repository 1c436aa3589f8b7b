import 'server-only';
import { cookies } from 'next/headers';
import { DomainError } from '@/lib/core/errors';
import { SecondFactorNeeded } from '@/lib/domain/context/recent-factor';
import { addPasskey, beginPasskey } from '@/lib/domain/people/passkeys/add-passkey';
import { CHALLENGE_SECONDS } from '@/lib/domain/people/passkeys/challenges';
import { beginPasskeyUse, type PasskeyUse } from '@/lib/domain/people/passkeys/use-passkey';
import { getEnvironment } from '@/lib/env';
import type { NewPasskeyResponse, PasskeyResponse } from '@/lib/schemas/sign-in/passkeys';
import { signInWithPasskey } from '@/lib/web/auth/complete-sign-in';
import { setCookie } from '../dashboard-session';
import { getWeb } from '../server-services';
import { readOpenWays } from './password-sign-in';
import { enrollVisitor, findEnrolling, keepOutcome, readPlace } from './visitor-sign-in';

/** Holds the ticket of the challenge that a passkey has to sign. */
const TICKET_COOKIE = 'pharos.passkey';

/** What this browser needs to ask for a passkey. Throws VALIDATION_ERROR if the service has none. */
export async function beginVisitorPasskeyUse() {
  const { options, ticket } = await beginPasskeyUse(getWeb().services);
  await setCookie(TICKET_COOKIE, ticket, CHALLENGE_SECONDS);
  return options;
}

/** The response of this browser with its ticket, which it loses. */
export async function readPasskeyUse(response: PasskeyResponse): Promise<PasskeyUse> {
  return { response, ticket: await takeTicket() };
}

/** Signs in with a passkey alone. Throws FORBIDDEN where that is off, and like `signInWithPasskey`. */
export async function signInVisitorByPasskey(response: PasskeyResponse): Promise<void> {
  const input = { use: await readPasskeyUse(response), ways: readOpenWays() };
  await keepOutcome(await signInWithPasskey(getWeb().services, input, await readPlace()));
}

/** What this browser needs to create a passkey of the person who is signed in, or whose sign-in lacks one. */
export async function beginVisitorPasskey() {
  const { services } = getWeb();
  const { userId: id, email } = await requireEnrolling();
  const { name } = await services.db.user.findUniqueOrThrow({ where: { id }, select: { name: true } });
  const environment = { ...services, serviceName: getEnvironment().SERVICE_NAME };
  const { options, ticket } = await beginPasskey(environment, { id, email, name });
  await setCookie(TICKET_COOKIE, ticket, CHALLENGE_SECONDS);
  return options;
}

/** Adds the passkey that this browser created to that person, and signs them in. Returns the recovery codes, if these are new. */
export async function addVisitorPasskey(input: {
  response: NewPasskeyResponse;
  name: string;
}): Promise<string[]> {
  const { services } = getWeb();
  const ticket = await takeTicket();
  return enrollVisitor((tx, enrolling) => addPasskey(tx, services, { ...input, ...enrolling, ticket }));
}

async function requireEnrolling() {
  const person = await findEnrolling();
  if (person === null) throw new DomainError('UNAUTHORIZED', 'This sign-in has ended. Sign in again.');
  if (person.isFactorStale) throw new SecondFactorNeeded();
  return person;
}

async function takeTicket(): Promise<string> {
  const ticket = (await cookies()).get(TICKET_COOKIE)?.value ?? '';
  await setCookie(TICKET_COOKIE, '', 0);
  return ticket;
}
