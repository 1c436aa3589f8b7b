import { DomainError } from '@/lib/core/errors';
import type { ExpectedVersion, OrganizationContext } from './organization-context';

const MESSAGES: Record<ExpectedVersion['code'], string> = {
  CONFLICT: 'Someone else has changed this in the meantime. Fetch it again, and repeat your change.',
  PRECONDITION_FAILED: 'A precondition of the request is not met: this has changed in the meantime.',
};

/**
 * Throws CONFLICT or PRECONDITION_FAILED if a resource has another version than the caller expects. Every verb that changes or
 * deletes one calls this once it has locked it; those that create one unless it exists, with the version null.
 */
export function requireExpectedVersion(
  { expected = [] }: Pick<OrganizationContext, 'expected'>,
  { version }: { version: number | null },
): void {
  const missed = expected.find((each) => each.version !== version);
  if (missed) throw new DomainError(missed.code, MESSAGES[missed.code]);
}
