import { DomainError } from '@/lib/core/errors';
import { isHostAllowed, type TargetPolicy } from '@/lib/platform/net/target-policy';

/**
 * Refuses (BLOCKED_TARGET) a receiver at a literal address or local name that the policy closes; other names are
 * judged at connect time.
 */
export function guardLiteralReceiver(policy: TargetPolicy, url: string): void {
  if (isHostAllowed(new URL(url).hostname, policy)) return;
  throw new DomainError('BLOCKED_TARGET', 'This address may not be called from here.', [
    { path: 'url', code: 'blocked_target', message: 'is an address that may not be called from here' },
  ]);
}
