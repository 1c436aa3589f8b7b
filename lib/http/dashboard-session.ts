import 'server-only';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { readSession, type Session } from '@/lib/auth/session';
import { getEnvironment } from '@/lib/env';
import { isSetUpOpen } from '@/lib/organizations/set-up';
import { requestAddress } from './request-address';
import { getWeb } from './server-services';

/** Whether people reach the app over https, as APP_URL says; cookies are marked secure then. */
export function isSecureApp(): boolean {
  return getEnvironment().APP_URL?.startsWith('https:') ?? false;
}

/** The signed-in person, or off to the set-up or sign-in page. Every dashboard page and action begins with this. */
export async function requireSession(): Promise<Session> {
  const { services } = getWeb();
  const session = await readSession(services, { isSecure: isSecureApp() });
  if (session !== null) {
    const address = requestAddress(await headers());
    return { ...session, ctx: { ...session.ctx, address } };
  }
  redirect((await isSetUpOpen(services.db)) ? '/setup' : '/sign-in');
}
