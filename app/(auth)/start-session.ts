import 'server-only';
import { cookies } from 'next/headers';
import { encode } from 'next-auth/jwt';
import { createAuthOptions } from '@/lib/auth/options';
import { isSecureApp } from '@/lib/http/dashboard-session';
import { getWeb } from '@/lib/http/server-services';

/** The cookie in which next-auth looks for its session. */
function sessionCookie() {
  const secure = isSecureApp();
  const name = secure ? '__Secure-next-auth.session-token' : 'next-auth.session-token';
  return { name, httpOnly: true, sameSite: 'lax' as const, path: '/', secure };
}

/** Signs a person in: sets the very cookie that next-auth's own sign-in would, without its detour through the browser. */
export async function startSession(user: { id: string; email: string }): Promise<void> {
  const { secret = '', session } = createAuthOptions(getWeb().services, { isSecure: isSecureApp() });
  const maxAge = session?.maxAge ?? 0;
  const value = await encode({ token: { sub: user.id, email: user.email }, secret, maxAge });
  (await cookies()).set({ ...sessionCookie(), value, maxAge });
}

/** Signs the person of this browser out. */
export async function endSession(): Promise<void> {
  (await cookies()).set({ ...sessionCookie(), value: '', maxAge: 0 });
}
