import 'server-only';
import { createSession, endSession } from '@/lib/domain/people/sessions';
import {
  clearSessionCookie,
  findVisitorPerson,
  readVisitor,
  setKnownBrowserCookie,
  setSessionCookie,
} from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';

/** Signs in a person who has just proved by something other than a password who they are. */
export async function startSession({ id, email }: { id: string; email: string }): Promise<void> {
  const sessionId = await createSession(getWeb().services, { userId: id, ...(await readVisitor()) });
  await setSessionCookie(sessionId);
  await setKnownBrowserCookie(email);
}

/** Signs out whoever is signed in in this browser, also somebody who belongs to no organization. */
export async function endVisitorSession(): Promise<void> {
  const person = await findVisitorPerson();
  if (person) await endSession(getWeb().services, person.userId, person.sessionId);
  await clearSessionCookie();
}
