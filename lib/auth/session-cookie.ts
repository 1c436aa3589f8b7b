import { decode, encode } from 'next-auth/jwt';
import type { Services } from '@/lib/context/services';
import { SESSION_SECONDS } from '@/lib/people/create-session';

type Keys = Pick<Services, 'keyring'>;

/** What signs and encrypts the session cookie. */
export function sessionSecret({ keyring }: Keys): string {
  return keyring.derive('session');
}

/** The name under which next-auth looks for its session. */
export function sessionCookieName(isSecure: boolean): string {
  return isSecure ? '__Secure-next-auth.session-token' : 'next-auth.session-token';
}

/** The cookie of a session, such as next-auth's own sign-in would set it: it names the session's row and nothing more. */
export async function sealSession(services: Keys, sessionId: string): Promise<string> {
  return encode({ token: { sid: sessionId }, secret: sessionSecret(services), maxAge: SESSION_SECONDS });
}

/** The session that a cookie names; null for one that is forged, broken or expired. */
export async function openSession(services: Keys, cookie: string | undefined): Promise<string | null> {
  if (!cookie) return null;
  try {
    const token = await decode({ token: cookie, secret: sessionSecret(services) });
    return typeof token?.sid === 'string' ? token.sid : null;
  } catch {
    return null;
  }
}
