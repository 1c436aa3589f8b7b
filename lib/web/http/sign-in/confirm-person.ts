import 'server-only';
import { invalidState } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requireRecentFactor } from '@/lib/domain/context/recent-factor';
import { checkOwnPassword, wrongPassword } from '@/lib/domain/people/passwords';
import { findPerson } from '@/lib/domain/people/profile';
import type { Session } from '@/lib/web/auth/session';
import { countedAddress } from '../address/request-address';
import { getPasswordThrottle } from '../password-throttle';
import { isPasswordSignInOn } from './password-sign-in';

/**
 * Requires the current password of the signed-in person. Wrong ones are throttled like those of the sign-in form, because a session may be
 * left open. Throws VALIDATION_ERROR at the field `currentPassword`, and RATE_LIMITED.
 */
export async function requireOwnPassword(
  ctx: OrganizationContext,
  { userId, email }: Pick<Session, 'userId' | 'email'>,
  password: string,
): Promise<void> {
  const address = ctx.address ?? null;
  const source = { email, address: address && countedAddress(address), knownBrowser: userId };
  const isRight = await getPasswordThrottle().guard(source, () => checkOwnPassword(ctx, userId, password));
  if (isRight === null) throw wrongPassword();
}

/**
 * Requires a recent second factor of people who have one, and the password of others. Throws `SecondFactorNeeded`, as
 * `requireOwnPassword` does, and VALIDATION_ERROR for people who have neither.
 */
export async function requirePerson(
  ctx: OrganizationContext,
  session: Session,
  password: string,
): Promise<void> {
  requireRecentFactor(ctx);
  const person = await findPerson(ctx, session.id);
  if (person?.hasFactor) return;
  if (!isPasswordSignInOn())
    throw invalidState('Set up a second factor in your profile first, then try again.');
  await requireOwnPassword(ctx, session, password);
}
