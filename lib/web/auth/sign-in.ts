import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { findUserByPassword } from '@/lib/domain/organizations/find-user';
import { createSession } from '@/lib/domain/people/create-session';
import type { Visitor } from '@/lib/domain/people/visitor';
import { signInSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { readKnownBrowser } from './known-browser';
import type { PasswordThrottle } from './password-throttle';

/** A person who has just signed in. */
export type SignedIn = { userId: string; email: string; name: string | null; sessionId: string };

type Where = Visitor & {
  /** As `countedAddress` answers it. */
  countedAddress: string | null;
  /** The known-browser cookie. */
  knownBrowser: string | undefined;
};

/**
 * The one way in by password, for the form and for next-auth's own path. Throws VALIDATION_ERROR for what cannot be an
 * address or a password, RATE_LIMITED after too many wrong ones, UNAUTHORIZED in the same words whichever of the two was
 * wrong, and FORBIDDEN for a person whom every organization has removed.
 */
export async function signIn(
  { services, throttle }: { services: Services; throttle: PasswordThrottle },
  input: unknown,
  where: Where,
): Promise<SignedIn> {
  const { email, password } = parseInput(signInSchema, input);
  const knownBrowser = readKnownBrowser(services.keyring, email, where.knownBrowser);
  const user = await throttle.guard({ email, address: where.countedAddress, knownBrowser }, () =>
    findUserByPassword(services, email, password),
  );
  if (user === null) throw new DomainError('UNAUTHORIZED', 'E-mail or password is wrong.');
  if ((await services.db.membership.count({ where: { userId: user.id } })) === 0) {
    throw new DomainError('FORBIDDEN', 'You belong to no organization any more. Ask an admin to invite you.');
  }
  const { address, userAgent } = where;
  const sessionId = await createSession(services, { userId: user.id, address, userAgent });
  return { userId: user.id, email, name: user.name, sessionId };
}
