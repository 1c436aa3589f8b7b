import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { decode, encode } from 'next-auth/jwt';
import type { Keyring } from '@/lib/core/keyring';
import { isSameText } from '@/lib/core/same-text';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { isRecentFactor } from '@/lib/domain/context/recent-factor';
import type { Services } from '@/lib/domain/context/services';
import { findSession, type Visitor } from '@/lib/domain/people/sessions';
import type { PlanId } from '@/lib/plans/catalogue';

/** Marks a browser in which a person has signed in before; does not sign anyone in. */
export const KNOWN_BROWSER_COOKIE = 'pharos.known-browser';

/** The longest that browsers keep a cookie. */
export const KNOWN_BROWSER_SECONDS = 400 * 24 * 3600;

const KNOWN_BROWSER = 'known browser';
const PURPOSE = 'session';

type Keys = Pick<Services, 'keyring'>;

/** A signed-in person in one of their organizations. */
export type Session = {
  /** ID of the row in `session`; its `organization_id` is what the person chose in this browser. */
  id: string;
  ctx: OrganizationContext;
  userId: string;
  email: string;
  /** The person's name; null: only the email address is known. */
  name: string | null;
  organizationName: string;
  plan: PlanId;
  /** From when the organization requires a second factor that this person lacks; null: never. */
  factorFrom: Date | null;
};

/**
 * The signed-in person, or null. The cookie only identifies a session: session, person, membership and role
 * are read from the database for every request, so changes take effect immediately.
 */
export async function readSession(
  services: Services,
  { cookie, visitor }: { cookie: string | undefined; visitor: Visitor },
): Promise<Session | null> {
  const sessionId = await openSession(services, cookie);
  const found = sessionId === null ? null : await findSession(services, sessionId, visitor);
  if (found === null) return null;
  const { id, userId, email, name, organizationId, organizationName, plan, role, hasFactor } = found;
  const isFactorStale = hasFactor && !isRecentFactor(found.secondFactorAt, services.clock.now());
  const actor = { kind: 'user' as const, userId, role, ...(isFactorStale && { isFactorStale }) };
  const ctx = { ...services, organizationId, actor, address: visitor.address };
  const factorFrom = hasFactor ? null : found.secondFactorFrom;
  return { id, ctx, userId, email, name, organizationName, plan, factorFrom };
}

/** The secret that signs and encrypts the session cookie. */
export function sessionSecret({ keyring }: Keys): string {
  return keyring.derive(PURPOSE);
}

/** The cookie name that next-auth expects. */
export function sessionCookieName(isSecure: boolean): string {
  return isSecure ? '__Secure-next-auth.session-token' : 'next-auth.session-token';
}

/** The cookie in which next-auth keeps where a sign-in continues. */
export function callbackUrlCookieName(isSecure: boolean): string {
  return isSecure ? '__Secure-next-auth.callback-url' : 'next-auth.callback-url';
}

/** Creates a session cookie as next-auth's own sign-in would: it only identifies the session's row. */
export async function sealSession(
  services: Keys & Pick<Services, 'sessions'>,
  sessionId: string,
): Promise<string> {
  const maxAge = sessionSeconds(services);
  return encode({ token: { sid: sessionId }, secret: sessionSecret(services), maxAge });
}

/** How long a browser keeps the cookie; the session may end earlier. */
export function sessionSeconds({ sessions }: Pick<Services, 'sessions'>): number {
  return sessions.lifetimeMs / 1000;
}

type Opened = { sessionId: string; expiresAtMs: number };

/** What valid cookies contain, by secret and cookie: next-auth derives a key for each decryption, which takes as long as a query. */
const opened = new LRUCache<string, Opened>({ max: 1000 });

/** The session ID in a cookie; null if it is forged, broken or expired. Accepts cookies of previous keys. */
export async function openSession(services: Keys, cookie: string | undefined): Promise<string | null> {
  if (!cookie) return null;
  for (const secret of services.keyring.deriveAll(PURPOSE)) {
    const key = `${secret} ${cookie}`;
    const known = opened.get(key);
    if (known !== undefined && Date.now() < known.expiresAtMs) return known.sessionId;
    const token = await decode({ token: cookie, secret }).catch(() => null);
    if (typeof token?.sid !== 'string') continue;
    opened.set(key, { sessionId: token.sid, expiresAtMs: Number(token.exp) * 1000 });
    return token.sid;
  }
  return null;
}

/** Creates the proof that a person has signed in in this browser: a random name, and a MAC over it and the email. */
export function createKnownBrowser(keyring: Keyring, email: string): string {
  const name = randomBytes(12).toString('base64url');
  return `${name}.${mac(keyring.derive(KNOWN_BROWSER), email, name)}`;
}

/** The browser name if the proof is for this email address, else null. */
export function readKnownBrowser(keyring: Keyring, email: string, proof: string | undefined): string | null {
  const [name = '', given = ''] = proof?.split('.') ?? [];
  const isGiven = (secret: string) => isSameText(given, mac(secret, email, name));
  return keyring.deriveAll(KNOWN_BROWSER).some(isGiven) ? name : null;
}

function mac(secret: string, email: string, name: string): string {
  return createHmac('sha256', secret).update(`${name} ${email}`).digest('base64url');
}
