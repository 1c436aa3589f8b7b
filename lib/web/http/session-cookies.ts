import 'server-only';
import { cookies } from 'next/headers';
import { KNOWN_BROWSER_COOKIE, KNOWN_BROWSER_SECONDS, makeKnownBrowser } from '@/lib/web/auth/known-browser';
import { sealSession, sessionCookieName, sessionSeconds } from '@/lib/web/auth/session-cookie';
import { isSecureApp } from './is-secure-app';
import { getWeb } from './server-services';

function attributes() {
  return { httpOnly: true, sameSite: 'lax' as const, path: '/', secure: isSecureApp() };
}

/** The session cookie of this browser, still sealed. */
export async function readSessionCookie(): Promise<string | undefined> {
  return (await cookies()).get(sessionCookieName(isSecureApp()))?.value;
}

/** Makes this browser that of a session. */
export async function setSessionCookie(sessionId: string): Promise<void> {
  const value = await sealSession(getWeb().services, sessionId);
  (await cookies()).set({
    ...attributes(),
    name: sessionCookieName(isSecureApp()),
    value,
    maxAge: sessionSeconds(getWeb().services),
  });
}

/** Takes the session cookie from this browser. */
export async function clearSessionCookie(): Promise<void> {
  (await cookies()).set({ ...attributes(), name: sessionCookieName(isSecureApp()), value: '', maxAge: 0 });
}

/** The proof that somebody has signed in in this browser before. */
export async function readKnownBrowserCookie(): Promise<string | undefined> {
  return (await cookies()).get(KNOWN_BROWSER_COOKIE)?.value;
}

/** Notes in this browser that the person of this address has signed in in it. */
export async function setKnownBrowserCookie(email: string): Promise<void> {
  (await cookies()).set({
    ...attributes(),
    name: KNOWN_BROWSER_COOKIE,
    value: makeKnownBrowser(getWeb().services.keyring, email),
    maxAge: KNOWN_BROWSER_SECONDS,
  });
}
