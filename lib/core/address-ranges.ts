import ipaddr from 'ipaddr.js';

/** Whether a valid address is one of these addresses or within one of these CIDR ranges. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const parsed = ipaddr.parse(address);
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(
      range.includes('/') ? range : `${range}/${range.includes(':') ? 128 : 32}`,
    );
    return network.kind() === parsed.kind() && parsed.match(network, bits);
  });
}
