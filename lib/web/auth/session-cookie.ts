import { decode, encode } from 'next-auth/jwt';
import type { Services } from '@/lib/domain/context/services';

const PURPOSE = 'session';

type Keys = Pick<Services, 'keyring'>;

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
