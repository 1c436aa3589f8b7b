import 'server-only';
import { redirect } from 'next/navigation';
import { isSetUpOpen } from '@/lib/domain/organizations/set-up';
import { findPerson, type Person } from '@/lib/domain/people/find-person';
import { readSession, type Session } from '@/lib/web/auth/session';
import { openSession } from '@/lib/web/auth/session-cookie';
import { getWeb } from './server-services';
import { readSessionCookie } from './session-cookies';
import { readVisitor } from './visitor';

/** The signed-in person, or null. */
export async function findVisitorSession(): Promise<Session | null> {
  const cookie = await readSessionCookie();
  return readSession(getWeb().services, { cookie, visitor: await readVisitor() });
}

/** The person signed in in this browser, also one who belongs to no organization; null: nobody. */
export async function findVisitorPerson(): Promise<Person | null> {
  const { services } = getWeb();
  const sessionId = await openSession(services, await readSessionCookie());
  return sessionId === null ? null : findPerson(services, sessionId);
}

/**
 * The signed-in person in their organization. Who has none any more goes to where they choose or make one; who is not signed
 * in, to the set-up or sign-in page. Every dashboard page and action begins with this.
 */
export async function requireSession(): Promise<Session> {
  const session = await findVisitorSession();
  if (session !== null) return session;
  if ((await findVisitorPerson()) !== null) redirect('/organizations');
  redirect((await isSetUpOpen(getWeb().services.db)) ? '/setup' : '/sign-in');
}
