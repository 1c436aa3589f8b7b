import 'server-only';
import { findVisitorPerson } from '@/lib/http/dashboard-session';
import { getWeb } from '@/lib/http/server-services';
import { clearSessionCookie } from '@/lib/http/session-cookies';
import { endSession } from '@/lib/people/sessions';

/** Signs out whoever is signed in in this browser, also somebody who belongs to no organization. */
export async function endVisitorSession(): Promise<void> {
  const person = await findVisitorPerson();
  if (person) await endSession(getWeb().services, person.userId, person.sessionId);
  await clearSessionCookie();
}
