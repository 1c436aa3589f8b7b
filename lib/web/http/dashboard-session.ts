import 'server-only';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { noteCaller } from '@/lib/core/request-context';
import { isSetUpOpen } from '@/lib/domain/organizations/create-organization';
import { findPerson, type Person } from '@/lib/domain/people/profile';
import type { Visitor } from '@/lib/domain/people/sessions';
import {
  createKnownBrowser,
  KNOWN_BROWSER_COOKIE,
  KNOWN_BROWSER_SECONDS,
  openSession,
  readSession,
  type Session,
  sealSession,
  sessionCookieName,
  sessionSeconds,
} from '@/lib/web/auth/session';
import { isSecureApp, requestAddress, requestBaseUrl } from './address/request-address';
import { getWeb } from './server-services';

/** Who sent this request, as far as it can be known. */
export async function readVisitor(): Promise<Visitor> {
  const all = await headers();
  return { address: requestAddress(all), userAgent: all.get('user-agent') };
}

/** The signed-in person, or null. */
export async function findVisitorSession(): Promise<Session | null> {
  const cookie = await readSessionCookie();
  const session = await readSession(getWeb().services, { cookie, visitor: await readVisitor() });
  if (session !== null) noteCaller({ organizationId: session.ctx.organizationId });
  return session && { ...session, ctx: { ...session.ctx, baseUrl: requestBaseUrl(await headers()) } };
}

/** The person signed in in this browser, even without an organization; null if no one is. */
export async function findVisitorPerson(): Promise<Person | null> {
  const { services } = getWeb();
  const sessionId = await openSession(services, await readSessionCookie());
  return sessionId === null ? null : findPerson(services, sessionId);
}

/**
 * The signed-in person in their organization. Redirects people without one to choose or create one, people who lack the second
 * factor that an organization requires to set it up, and people not signed in to the setup or sign-in page. Every dashboard page and action calls this first; the layout and the page of a
 * request read it once.
 */
export const requireSession = cache(async (): Promise<Session> => {
  const session = await findVisitorSession();
  if (session !== null) return session;
  const person = await findVisitorPerson();
  if (person?.lacksFactor) redirect('/sign-in/set-up-second-factor');
  if (person !== null) redirect('/organizations');
  redirect((await isSetUpOpen(getWeb().services.db)) ? '/setup' : '/sign-in');
});

/** The session cookie of this browser, still sealed. */
async function readSessionCookie(): Promise<string | undefined> {
  return (await cookies()).get(sessionCookieName(isSecureApp()))?.value;
}

/** Sets a cookie in this browser; `maxAge` in seconds. */
export async function setCookie(name: string, value: string, maxAge: number): Promise<void> {
  const secure = isSecureApp();
  (await cookies()).set({ name, value, maxAge, httpOnly: true, sameSite: 'lax', path: '/', secure });
}

/** Sets the session cookie in this browser. */
export async function setSessionCookie(sessionId: string): Promise<void> {
  const { services } = getWeb();
  const value = await sealSession(services, sessionId);
  await setCookie(sessionCookieName(isSecureApp()), value, sessionSeconds(services));
}

/** Removes the session cookie from this browser. */
export async function clearSessionCookie(): Promise<void> {
  await setCookie(sessionCookieName(isSecureApp()), '', 0);
}

/** The proof that someone has signed in in this browser before. */
export async function readKnownBrowserCookie(): Promise<string | undefined> {
  return (await cookies()).get(KNOWN_BROWSER_COOKIE)?.value;
}

/** Records in this browser that the person with this email address has signed in. */
export async function setKnownBrowserCookie(email: string): Promise<void> {
  const value = createKnownBrowser(getWeb().services.keyring, email);
  await setCookie(KNOWN_BROWSER_COOKIE, value, KNOWN_BROWSER_SECONDS);
}
