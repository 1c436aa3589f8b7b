import ipaddr from 'ipaddr.js';

type Hop = { peer: string | null; forwardedFor: string | null };

/**
 * The address of who asks: the other end of the connection, or, where that is one of `trustedProxies` (addresses or CIDR
 * ranges), what it says in X-Forwarded-For, back to the first hop that is not trusted. Null where nobody knows.
 */
export function clientAddress({ peer, forwardedFor }: Hop, trustedProxies: readonly string[]): string | null {
  const hops = [...(forwardedFor?.split(',').map((hop) => hop.trim()) ?? []), peer ?? ''];
  let known: string | null = null;
  for (const hop of hops.reverse()) {
    const address = normalize(hop);
    if (address === null) return known;
    known = address;
    if (!isTrusted(address, trustedProxies)) return known;
  }
  return known;
}

/** Whether the other end of a connection is one of `trustedProxies` (addresses or CIDR ranges). */
export function isTrustedProxy(peer: string | undefined, trustedProxies: readonly string[]): boolean {
  const address = normalize(peer ?? '');
  return address !== null && isTrusted(address, trustedProxies);
}

/** What is counted for an address: itself for IPv4, its /64 for IPv6, for one household has a whole /64. */
export function countedAddress(address: string): string {
  const parsed = ipaddr.parse(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toString()}/64`;
}

function normalize(text: string): string | null {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : null;
}

function isTrusted(address: string, trustedProxies: readonly string[]): boolean {
  const parsed = ipaddr.parse(address);
  return trustedProxies.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(
      range.includes('/') ? range : `${range}/${range.includes(':') ? 128 : 32}`,
    );
    return network.kind() === parsed.kind() && parsed.match(network, bits);
  });
}
