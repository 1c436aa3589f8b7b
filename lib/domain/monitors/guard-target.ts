import { parseResolver } from '@/lib/checks/dns/dns';
import { readTarget } from '@/lib/checks/types';
import { DomainError, invalidField } from '@/lib/core/errors';
import { findCertificateProblem } from '@/lib/platform/net/client-certificate';
import { isHostAllowed, isNameAllowed, type TargetPolicy } from '@/lib/platform/net/target-policy';
import type { MonitorConfig } from '@/lib/schemas/monitor/fields';
import { placeToConnect } from '@/lib/schemas/monitor/fields/connection-conflicts';

/**
 * Throws BLOCKED_TARGET for a literal address or local name that the policy blocks, as early feedback; other names are checked
 * when connecting, by the address they resolve to.
 */
export function guardLiteralTarget(
  policy: TargetPolicy,
  target: Pick<MonitorConfig, 'type' | 'url' | 'resolvers' | 'connectTo' | 'authentication'>,
): void {
  const closed = target.resolvers.findIndex((each) => {
    const host = parseResolver(each)?.host ?? null;
    return host !== null && !isHostAllowed(host, policy);
  });
  if (closed !== -1) throw blocked(`resolvers.${closed}`);
  const place = placeToConnect(target);
  if (place !== null && !isHostAllowed(place.host, policy)) throw blocked('connectTo');
  const { authentication } = target;
  if (authentication?.method === 'oauth2') {
    const { hostname } = new URL(authentication.tokenUrl);
    if (!isHostAllowed(hostname, policy)) throw blocked('authentication.tokenUrl');
  }
  const { host = null, lookup } = readTarget(target) ?? {};
  const isAllowed =
    host === null ? lookup === undefined || isNameAllowed(lookup, policy) : isHostAllowed(host, policy);
  if (!isAllowed) throw blocked('url');
}

/** Throws VALIDATION_ERROR for a client certificate that cannot be presented. */
export function requireUsableCertificate({
  clientCertificate,
}: Pick<MonitorConfig, 'clientCertificate'>): void {
  const problem = clientCertificate === null ? null : findCertificateProblem(clientCertificate);
  if (problem !== null) throw invalidField('clientCertificate', problem);
}

function blocked(path: string): DomainError {
  return new DomainError('BLOCKED_TARGET', 'This address is blocked as a target.', [
    { path, code: 'blocked_target', message: 'is an address that is blocked as a target' },
  ]);
}
