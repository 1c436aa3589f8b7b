import 'server-only';
import { createHmac, randomBytes } from 'node:crypto';
import { decode, encode } from 'next-auth/jwt';
import type { Keyring } from '@/lib/core/keyring';
import { isSameText } from '@/lib/core/same-text';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import { findSession, type Visitor } from '@/lib/domain/people/sessions';

/** The cookie that tells a browser in which a person has signed in before; it signs nobody in. */
export const KNOWN_BROWSER_COOKIE = 'pharos.known-browser';

/** As long as browsers keep a cookie at most. */
export const KNOWN_BROWSER_SECONDS = 400 * 24 * 3600;

const KNOWN_BROWSER = 'known browser';

const PURPOSE = 'session';

type Keys = Pick<Services, 'keyring'>;

/** A signed-in person in one of their organizations. */
export type Session = {
  /** Of the row in `session`; `session.organization_id` is what the person chose in this browser. */
  id: string;
  ctx: OrganizationContext;
  userId: string;
  email: string;
  /** What the person is called; null: nothing but the address is known. */
  name: string | null;
  organizationName: string;
};

/**
 * Who asks, or null. The cookie only names a session: it, the person, membership and role are read from the database at
 * every request, so that what was ended or changed counts at once.
 */
export async function readSession(
  services: Services,
  { cookie, visitor }: { cookie: string | undefined; visitor: Visitor },
): Promise<Session | null> {
  const sessionId = await openSession(services, cookie);
  const found = sessionId === null ? null : await findSession(services, sessionId, visitor);
  if (found === null) return null;
  const { id, userId, email, name, organizationId, organizationName, role } = found;
  const actor = { kind: 'user' as const, userId, role };
  const ctx = { ...services, organizationId, actor, address: visitor.address };
  return { id, ctx, userId, email, name, organizationName };
}

/** What signs and encrypts the session cookie. */
export function sessionSecret({ keyring }: Keys): string {
  return keyring.derive(PURPOSE);
}

/** The name under which next-auth looks for its session. */
export function sessionCookieName(isSecure: boolean): string {
  return isSecure ? '__Secure-next-auth.session-token' : 'next-auth.session-token';
}

/** The cookie of a session, such as next-auth's own sign-in would set it: it names the session's row and nothing more. */
export async function sealSession(
  services: Keys & Pick<Services, 'sessions'>,
  sessionId: string,
): Promise<string> {
  const maxAge = sessionSeconds(services);
  return encode({ token: { sid: sessionId }, secret: sessionSecret(services), maxAge });
}

/** For how long a browser keeps the cookie; its session may end earlier. */
export function sessionSeconds({ sessions }: Pick<Services, 'sessions'>): number {
  return sessions.lifetimeMs / 1000;
}

/** The session that a cookie names; null for one that is forged, broken or expired. One made under a previous key counts. */
export async function openSession(services: Keys, cookie: string | undefined): Promise<string | null> {
  if (!cookie) return null;
  for (const secret of services.keyring.deriveAll(PURPOSE)) {
    const token = await decode({ token: cookie, secret }).catch(() => null);
    if (typeof token?.sid === 'string') return token.sid;
  }
  return null;
}

/** The proof that a person has signed in in this browser: a random name for the browser, and a MAC over it and the address. */
export function makeKnownBrowser(keyring: Keyring, email: string): string {
  const name = randomBytes(12).toString('base64url');
  return `${name}.${mac(keyring.derive(KNOWN_BROWSER), email, name)}`;
}

/** The name of the browser where the proof is for this address, else null. */
export function readKnownBrowser(keyring: Keyring, email: string, proof: string | undefined): string | null {
  const [name = '', given = ''] = proof?.split('.') ?? [];
  const isGiven = (secret: string) => isSameText(given, mac(secret, email, name));
  return keyring.deriveAll(KNOWN_BROWSER).some(isGiven) ? name : null;
}

function mac(secret: string, email: string, name: string): string {
  return createHmac('sha256', secret).update(`${name} ${email}`).digest('base64url');
}
