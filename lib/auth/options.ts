import 'server-only';
import type { AuthOptions } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import type { Services } from '@/lib/context/services';
import { findUserByPassword } from '@/lib/organizations/find-user';
import { emailAddress } from '@/lib/schemas/email-address';
import { passwordSchema } from '@/lib/schemas/organization';

/** How people sign in: e-mail and password, the session a signed and encrypted cookie. `isSecure`: the app is behind https. */
export function createAuthOptions(services: Services, { isSecure }: { isSecure: boolean }): AuthOptions {
  return {
    secret: services.keyring.derive('session'),
    session: { strategy: 'jwt', maxAge: 30 * 24 * 3600 },
    useSecureCookies: isSecure,
    pages: { signIn: '/sign-in', error: '/sign-in' },
    providers: [
      CredentialsProvider({
        credentials: { email: { type: 'email' }, password: { type: 'password' } },
        authorize: async (credentials) => {
          const email = emailAddress.safeParse(credentials?.email);
          const password = passwordSchema.safeParse(credentials?.password);
          return findUserByPassword(services, email.data ?? '', password.data ?? '');
        },
      }),
    ],
  };
}
