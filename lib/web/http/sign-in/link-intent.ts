import 'server-only';
import { cookies } from 'next/headers';
import { findVisitorPerson, setCookie } from '../dashboard-session';
import { getWeb } from '../server-services';

/** Proves that the person of a session asked to link the account with which the provider sends them back. */
const LINK_COOKIE = 'pharos.link-account';
const LIFETIME_SECONDS = 15 * 60;

/** Remembers in this browser that the signed-in person links their next account. */
export async function startLinking(sessionId: string): Promise<void> {
  await setCookie(LINK_COOKIE, getWeb().services.keyring.derive(purpose(sessionId)), LIFETIME_SECONDS);
}

/**
 * The user who asked to link an account, if they are still signed in with the same session; null: somebody signs in. Asking once is
 * good for one account.
 */
export async function endLinking(): Promise<string | null> {
  const given = (await cookies()).get(LINK_COOKIE)?.value;
  if (!given) return null;
  await setCookie(LINK_COOKIE, '', 0);
  const person = await findVisitorPerson();
  if (person === null) return null;
  return getWeb().services.keyring.isDerived(purpose(person.sessionId), given) ? person.userId : null;
}

function purpose(sessionId: string): string {
  return `link account ${sessionId}`;
}
