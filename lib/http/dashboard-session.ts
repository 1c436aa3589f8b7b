import 'server-only';
import { redirect } from 'next/navigation';
import { readSession, type Session } from '@/lib/auth/session';
import { isSetUpOpen } from '@/lib/organizations/set-up';
import { getWeb } from './server-services';
import { readSessionCookie } from './session-cookies';
import { readVisitor } from './visitor';

/** The signed-in person, or null. */
export async function findVisitorSession(): Promise<Session | null> {
  const cookie = await readSessionCookie();
  return readSession(getWeb().services, { cookie, visitor: await readVisitor() });
}

/** The signed-in person, or off to the set-up or sign-in page. Every dashboard page and action begins with this. */
export async function requireSession(): Promise<Session> {
  const session = await findVisitorSession();
  if (session !== null) return session;
  redirect((await isSetUpOpen(getWeb().services.db)) ? '/setup' : '/sign-in');
}
