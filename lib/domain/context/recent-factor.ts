import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from './organization-context';

/** How long a second factor counts after it was used in a session, in milliseconds. */
export const RECENT_FACTOR_MS = 600_000;

/** A person with a second factor has to use it again before this; the dashboard asks for it. */
export class SecondFactorNeeded extends DomainError {
  constructor() {
    super('FORBIDDEN', 'Confirm your second factor first, then try again.');
  }
}

/**
 * Throws `SecondFactorNeeded` if the person has a second factor, but did not use it in this session in the last ten minutes. For
 * whatever outlasts the session: ownership, API keys, the second factor itself. Does nothing for people without one, API keys
 * and the operator.
 */
export function requireRecentFactor({ actor }: Pick<OrganizationContext, 'actor'>): void {
  if (actor.kind === 'user' && actor.isFactorStale) throw new SecondFactorNeeded();
}

/** Whether a second factor that was last used then, or never in this session, counts as recent. */
export function isRecentFactor(usedAt: Date | null, now: Date): boolean {
  return usedAt !== null && now.getTime() - usedAt.getTime() < RECENT_FACTOR_MS;
}
