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

/** Signs in a person who was authenticated by something other than a password. */
export async function startSession({ id, email }: { id: string; email: string }): Promise<void> {
  const sessionId = await createSession(getWeb().services, { userId: id, ...(await readVisitor()) });
  await setSessionCookie(sessionId);
  await setKnownBrowserCookie(email);
}

/** Signs out the person signed in in this browser, even one without an organization. */
export async function endVisitorSession(): Promise<void> {
  const person = await findVisitorPerson();
  if (person) await endSession(getWeb().services, person.userId, person.sessionId);
  await clearSessionCookie();
}
