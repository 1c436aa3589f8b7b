import 'server-only';
import { endSession } from '@/lib/domain/people/sessions';
import { findVisitorPerson } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';
import { clearSessionCookie } from '@/lib/web/http/session-cookies';

/** Signs out whoever is signed in in this browser, also somebody who belongs to no organization. */
export async function endVisitorSession(): Promise<void> {
  const person = await findVisitorPerson();
  if (person) await endSession(getWeb().services, person.userId, person.sessionId);
  await clearSessionCookie();
}
