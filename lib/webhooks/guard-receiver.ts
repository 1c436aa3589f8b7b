import { DomainError } from '@/lib/core/errors';
import { isAddressAllowed, literalAddress, type TargetPolicy } from '@/lib/net/target-policy';

/** Refuses (BLOCKED_TARGET) a receiver at a literal address that the policy closes; names are judged at connect time. */
export function guardLiteralReceiver(policy: TargetPolicy, url: string): void {
  const address = literalAddress(new URL(url).hostname);
  if (address === null || isAddressAllowed(address, policy)) return;
  throw new DomainError('BLOCKED_TARGET', 'This address may not be called from here.', [
    { path: 'url', code: 'blocked_target', message: 'is an address that may not be called from here' },
  ]);
}
