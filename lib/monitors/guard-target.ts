import { DomainError } from '@/lib/core/errors';
import { isAddressAllowed, literalAddress, type TargetPolicy } from '@/lib/net/target-policy';
import type { MonitorConfig } from '@/lib/schemas/monitor-fields';
import { targetHost } from '@/lib/schemas/targets';

/**
 * Refuses (BLOCKED_TARGET) a target that is a literal address the policy closes, as a kindness to whoever types it;
 * names are judged at connect time, on the address they resolve to.
 */
export function guardLiteralTarget(policy: TargetPolicy, target: Pick<MonitorConfig, 'type' | 'url'>): void {
  const host = targetHost(target);
  const address = host === null ? null : literalAddress(host);
  if (address === null || isAddressAllowed(address, policy)) return;
  throw new DomainError('BLOCKED_TARGET', 'This address may not be probed from here.', [
    { path: 'url', code: 'blocked_target', message: 'is an address that may not be probed from here' },
  ]);
}
