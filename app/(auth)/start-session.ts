import 'server-only';
import { getWeb } from '@/lib/http/server-services';
import { setKnownBrowserCookie, setSessionCookie } from '@/lib/http/session-cookies';
import { readVisitor } from '@/lib/http/visitor';
import { createSession } from '@/lib/people/create-session';

/** Signs in a person who has just proved by something other than a password who they are. */
export async function startSession({ id, email }: { id: string; email: string }): Promise<void> {
  const sessionId = await createSession(getWeb().services, { userId: id, ...(await readVisitor()) });
  await setSessionCookie(sessionId);
  await setKnownBrowserCookie(email);
}
