import 'server-only';
import type { AuthOptions, User } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { findSession } from '@/lib/domain/people/find-session';
import { openSession, sessionSeconds, sessionSecret } from './session-cookie';
import type { SignedIn } from './sign-in';

type Settings = {
  services: Services;
  /** The app is behind https. */
  isSecure: boolean;
  /** The one way in by password. */
  signIn: (input: { email: unknown; password: unknown }) => Promise<SignedIn>;
};

/**
 * next-auth's own paths (/api/auth/*). They go the same way as the forms: the same throttle, the same rows in `session`, and
 * a cookie that only names such a row.
 */
export function createAuthOptions({ services, isSecure, signIn }: Settings): AuthOptions {
  return {
    secret: sessionSecret(services),
    session: { strategy: 'jwt', maxAge: sessionSeconds(services) },
    // As everywhere else: a cookie made under a previous key counts.
    jwt: {
      decode: async ({ token }) => {
        const sid = await openSession(services, token);
        return sid === null ? null : { sid };
      },
    },
    useSecureCookies: isSecure,
    pages: { signIn: '/sign-in', error: '/sign-in' },
    providers: [
      CredentialsProvider({
        credentials: { email: { type: 'email' }, password: { type: 'password' } },
        authorize: async (credentials): Promise<(User & { sid: string }) | null> => {
          try {
            const input = { email: credentials?.email, password: credentials?.password };
            const { userId, email, name, sessionId } = await signIn(input);
            return { id: userId, email, name, sid: sessionId };
          } catch (error) {
            // Its message goes to the sign-in page; a wrong password is null in next-auth's terms.
            if (error instanceof DomainError && error.code === 'RATE_LIMITED') throw error;
            if (error instanceof DomainError) return null;
            throw error;
          }
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => {
        const sid = user && 'sid' in user ? user.sid : token.sid;
        return { sid };
      },
      session: async ({ session, token }) => {
        const found = typeof token.sid === 'string' ? await findSession(services, token.sid) : null;
        return found
          ? { expires: session.expires, user: { email: found.email, name: found.name } }
          : { expires: session.expires };
      },
    },
    events: {
      signOut: async ({ token }) => {
        if (typeof token?.sid === 'string')
          await services.db.session.deleteMany({ where: { id: token.sid } });
      },
    },
  };
}
