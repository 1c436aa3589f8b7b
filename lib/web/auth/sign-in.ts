import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import type { ProvenIdentity } from '@/lib/domain/members/identities/identity';
import { findUserByPassword } from '@/lib/domain/organizations/password';
import { findSession } from '@/lib/domain/people/sessions';
import { signInSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { completeSignIn, type SignInOutcome, type SignInPlace } from './complete-sign-in';
import type { PasswordThrottle } from './password-throttle';
import { identityOf, type Provider } from './providers/provider';
import { openSession, readKnownBrowser, sessionSeconds, sessionSecret } from './session';
import 'server-only';
import type { AuthOptions, LoggerInstance, User } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';

/**
 * Signs in by password, for the form and for next-auth's own path. Throws VALIDATION_ERROR for anything that
 * cannot be an email address and password, RATE_LIMITED after too many wrong ones, UNAUTHORIZED with the same
 * message whichever was wrong, and FORBIDDEN like `completeSignIn`.
 */
export async function signIn(
  { services, throttle }: { services: Services; throttle: PasswordThrottle },
  input: unknown,
  place: SignInPlace,
): Promise<SignInOutcome> {
  const { email, password } = parseInput(signInSchema, input);
  const knownBrowser = readKnownBrowser(services.keyring, email, place.knownBrowser);
  const user = await throttle.guard({ email, address: place.countedAddress, knownBrowser }, () =>
    findUserByPassword(services, email, password),
  );
  if (user === null) throw new DomainError('UNAUTHORIZED', 'Incorrect email or password.');
  return completeSignIn(services, { userId: user.id, method: 'password' }, place);
}

type Settings = {
  services: Services;
  /** The app is behind https. */
  isSecure: boolean;
  /** Signs in by password. */
  signIn: (input: { email: unknown; password: unknown }) => Promise<SignInOutcome>;
  providers: readonly Provider[];
  /** Signs in with an account that a provider has proven, and returns the path at which the browser continues. */
  signInByProvider: (identity: ProvenIdentity) => Promise<string>;
  logger: Partial<LoggerInstance>;
};

/** Options of next-auth's own paths (/api/auth/*), with the same throttle, sessions and cookie as the forms. */
export function createAuthOptions({
  services,
  isSecure,
  signIn,
  providers,
  signInByProvider,
  logger,
}: Settings): AuthOptions {
  return {
    secret: sessionSecret(services),
    session: { strategy: 'jwt', maxAge: sessionSeconds(services) },
    // Cookies made with a previous key are accepted everywhere.
    jwt: {
      decode: async ({ token }) => {
        const sid = await openSession(services, token);
        return sid === null ? null : { sid };
      },
    },
    useSecureCookies: isSecure,
    pages: { signIn: '/sign-in', error: '/sign-in' },
    logger,
    providers: [
      ...providers.map(({ config }) => config),
      CredentialsProvider({
        credentials: { email: { type: 'email' }, password: { type: 'password' } },
        authorize: (credentials) => authorizeByPassword(signIn, credentials),
      }),
    ],
    callbacks: {
      // A path ends next-auth's own sign-in: the session of a provider's account is created by us, like every other.
      signIn: ({ user, account }) => {
        if (account?.type !== 'oauth') return true;
        const identity = identityOf(user);
        return identity !== null && signInByProvider(identity);
      },
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

type Credentials = { email?: unknown; password?: unknown };

/**
 * Whom next-auth's own path signs in by password, as next-auth expects it: null for a wrong password, and for a person from whom more is
 * asked, which only the pages of the app do. Throws RATE_LIMITED, whose message is shown on the sign-in page.
 */
export async function authorizeByPassword(
  signIn: Settings['signIn'],
  credentials: Credentials | undefined,
): Promise<(User & { sid: string }) | null> {
  try {
    const outcome = await signIn({ email: credentials?.email, password: credentials?.password });
    return outcome.kind === 'session' ? { id: outcome.sessionId, sid: outcome.sessionId } : null;
  } catch (error) {
    if (error instanceof DomainError && error.code !== 'RATE_LIMITED') return null;
    throw error;
  }
}
