import 'server-only';
import { createSession } from '@/lib/domain/people/create-session';
import { getWeb } from '@/lib/web/http/server-services';
import { setKnownBrowserCookie, setSessionCookie } from '@/lib/web/http/session-cookies';
import { readVisitor } from '@/lib/web/http/visitor';

/** Signs in a person who has just proved by something other than a password who they are. */
export async function startSession({ id, email }: { id: string; email: string }): Promise<void> {
  const sessionId = await createSession(getWeb().services, { userId: id, ...(await readVisitor()) });
  await setSessionCookie(sessionId);
  await setKnownBrowserCookie(email);
}
