import ipaddr from 'ipaddr.js';
import { ipVersion } from './addresses';

/**
 * Whether a text is an address or a CIDR range that can be read in one way: `010.0.0.0/8` would be octal, `10.1` would be 10.0.0.1, and
 * a zone means something else on every machine.
 */
export function isAddressRange(text: string): boolean {
  const [, address = '', bits = '0'] = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const version = ipVersion(address);
  return version !== 0 && Number(bits) <= (version === 4 ? 32 : 128);
}

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
