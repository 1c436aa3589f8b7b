import 'server-only';
import { endSession } from '@/lib/domain/people/sessions';
import { clearSessionCookie, findVisitorPerson } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';

/** Signs out the person signed in in this browser, even one without an organization. */
export async function endVisitorSession(): Promise<void> {
  const person = await findVisitorPerson();
  if (person) await endSession(getWeb().services, person.userId, person.sessionId);
  await clearSessionCookie();
}
