import 'server-only';
import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import {
  consumeSecondFactor,
  type FactorProof,
  recordWrongFactor,
} from '@/lib/domain/people/second-factor/use-second-factor';
import type { PasswordThrottle } from './password-throttle';

type Web = { services: Services; throttle: PasswordThrottle };

/** A person who uses a second factor, and from where. */
export type FactorAttempt = {
  user: { id: string; email: string };
  factor: FactorProof;
  place: { address: string | null; countedAddress: string | null };
};

/**
 * Runs `check` (null: wrong), which uses up a second factor and does what it allows. Wrong ones are counted per person and
 * address, apart from passwords, and logged. Throws VALIDATION_ERROR for a wrong one, RATE_LIMITED after too many.
 */
export async function guardFactor<T>(
  { services, throttle }: Web,
  { user, factor, place }: FactorAttempt,
  check: () => Promise<T | null>,
): Promise<T> {
  const result = await throttle.guardCode({ email: user.email, address: place.countedAddress }, check);
  if (result !== null) return result;
  await recordWrongFactor(services, { user, address: place.address });
  throw wrongFactor(factor);
}

/**
 * Confirms the second factor in a session: for ten minutes, it may do what `requireRecentFactor` guards. Throws like
 * `guardFactor`.
 */
export async function confirmSession(
  { services, throttle }: Web,
  { user, factor, place, sessionId }: FactorAttempt & { sessionId: string },
): Promise<void> {
  await guardFactor({ services, throttle }, { user, factor, place }, () =>
    services.db.$transaction(async (tx) => {
      if (!(await consumeSecondFactor(tx, services, { user, factor, address: place.address }))) return null;
      const where = { id: sessionId, userId: user.id };
      await tx.session.updateMany({ where, data: { secondFactorAt: services.clock.now() } });
      return true;
    }),
  );
}

/** The error for a wrong code, at its field. */
export function wrongCode(): DomainError {
  const details = [{ path: 'code', code: 'wrong', message: 'is incorrect or was already used' }];
  return new DomainError('VALIDATION_ERROR', 'The code is incorrect or was already used.', details);
}

/** The error for a wrong second factor. */
export function wrongFactor(factor: FactorProof): DomainError {
  return 'passkey' in factor ? wrongPasskey() : wrongCode();
}

/** The error for a passkey that is not the person's, or whose signature does not count. */
export function wrongPasskey(): DomainError {
  return new DomainError(
    'VALIDATION_ERROR',
    'The passkey was not accepted: it is not registered for this account, or it took too long. Try again.',
  );
}
