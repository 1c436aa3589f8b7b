import 'server-only';
import { createHmac } from 'node:crypto';
import { cookies } from 'next/headers';
import type { Keyring } from '@/lib/core/keyring';
import { isSameText } from '@/lib/core/same-text';
import { findVisitorPerson, setCookie } from '../dashboard-session';
import { getWeb } from '../server-services';

/** Says that the person of a session asked to link the account with which the provider sends them back. */
const LINK_COOKIE = 'pharos.link-account';
const LIFETIME_SECONDS = 15 * 60;
const PURPOSE = 'link account';

/** Remembers in this browser that the signed-in person links their next account. */
export async function startLinking(sessionId: string): Promise<void> {
  const secret = getWeb().services.keyring.derive(PURPOSE);
  await setCookie(LINK_COOKIE, sign(secret, sessionId), LIFETIME_SECONDS);
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
  return person !== null && isFor(getWeb().services.keyring, given, person.sessionId) ? person.userId : null;
}

function isFor(keyring: Keyring, given: string, sessionId: string): boolean {
  return keyring.deriveAll(PURPOSE).some((secret) => isSameText(given, sign(secret, sessionId)));
}

function sign(secret: string, sessionId: string): string {
  return createHmac('sha256', secret).update(sessionId).digest('base64url');
}
