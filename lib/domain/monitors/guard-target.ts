import { DomainError } from '@/lib/core/errors';
import { isHostAllowed, isNameAllowed, type TargetPolicy } from '@/lib/platform/net/target-policy';
import type { MonitorConfig } from '@/lib/schemas/monitor-fields';
import { parseDnsTarget, targetHost } from '@/lib/schemas/targets';

/**
 * Refuses (BLOCKED_TARGET) a target that is a literal address or a local name that the policy closes, as a kindness to
 * whoever types it; other names are judged at connect time, on the address they resolve to.
 */
export function guardLiteralTarget(policy: TargetPolicy, target: Pick<MonitorConfig, 'type' | 'url'>): void {
  const host = targetHost(target);
  const dns = target.type === 'dns' && host === null ? parseDnsTarget(target.url) : null;
  if (host === null ? dns === null || isNameAllowed(dns.name, policy) : isHostAllowed(host, policy)) return;
  throw new DomainError('BLOCKED_TARGET', 'This address may not be probed from here.', [
    { path: 'url', code: 'blocked_target', message: 'is an address that may not be probed from here' },
  ]);
}
