import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.parse>;
type IPv6Address = ReturnType<typeof ipaddr.IPv6.parse>;
type Range = readonly [Address, number];

/** Which addresses the service may connect to. `allowedCidrs` is ALLOWED_PRIVATE_CIDRS; entries that are no CIDR open nothing. */
export type TargetPolicy = { mode: 'public' | 'private'; allowedCidrs: string[] };

/** Link-local and cloud metadata: closed under every policy unless named exactly. */
const CLOSED_RANGES: readonly Range[] = [
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::254/128',
  '100.100.100.200/32',
  '168.63.129.16/32',
].map((cidr) => ipaddr.parseCIDR(cidr));

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
const LOCAL_NAT64 = ipaddr.parseCIDR('64:ff9b:1::/48');

/**
 * Whether the policy lets the service connect to this address (IPv4 or IPv6, in normal notation). An IPv6
 * address that carries an IPv4 address is judged by the one it carries. What is not an address is not allowed.
 */
export function isAddressAllowed(address: string, policy: TargetPolicy): boolean {
  const parsed = ipaddr.isValid(address) ? ipaddr.parse(address) : null;
  if (parsed === null) return false;
  return judgedAddresses(parsed).every((one) => isOpen(one, policy));
}

/**
 * The address that a host means when it is a literal in any notation that a URL accepts (`127.1`, `0x7f.1`,
 * `2130706433`, `0`, `[::1]`, `::1`), in normal notation; null when the host is a name.
 */
export function literalAddress(host: string): string | null {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  if (isIPv6(bare)) return ipaddr.parse(bare).toString();
  if (host === '' || /[/\\?#@:\s]/.test(host) || !URL.canParse(`http://${host}`)) return null;
  const canonical = new URL(`http://${host}`).hostname;
  return ipaddr.IPv4.isValidFourPartDecimal(canonical) ? canonical : null;
}

/** Whether a text is an address or a CIDR range, as `allowedCidrs` takes them. */
export function isCidr(text: string): boolean {
  return parseRange(text) !== null;
}

function isOpen(address: Address, policy: TargetPolicy): boolean {
  const closed = CLOSED_RANGES.find((range) => contains(range, address));
  if (closed) return policy.allowedCidrs.some((entry) => namesExactly(entry, address, closed));
  const kind = reach(address);
  if (kind !== 'private') return kind === 'public';
  if (policy.allowedCidrs.some((entry) => includes(entry, address))) return true;
  return policy.mode === 'private' && policy.allowedCidrs.length === 0;
}

/** Multicast and broadcast are no targets; all else that is not globally routable unicast counts as private. */
function reach(address: Address): 'public' | 'private' | 'never' {
  const range = address.range();
  if (range === 'multicast' || range === 'broadcast') return 'never';
  if (range !== 'unicast') return 'private';
  return address.kind() === 'ipv4' || contains(GLOBAL_UNICAST, address) ? 'public' : 'private';
}

/** The addresses that decide: the address itself, or the IPv4 addresses that a transition mechanism hides in it. */
function judgedAddresses(address: Address): Address[] {
  if (address.kind() === 'ipv4') return [address];
  const { parts } = address as IPv6Address;
  const last = ipv4(parts[6], parts[7]);
  switch (address.range()) {
    case 'ipv4Mapped':
    case 'rfc6145':
      return [last];
    case 'rfc6052':
      // The local-use prefix is translated by a gateway inside, so the prefix itself has to be open as well.
      return contains(LOCAL_NAT64, address) ? [address, last] : [last];
    case '6to4':
      return [ipv4(parts[1], parts[2])];
    case 'teredo':
      // Teredo names a server in the clear and a client with its bits inverted.
      return [ipv4(parts[2], parts[3]), ipv4(inverted(parts[6]), inverted(parts[7]))];
    case 'unspecified':
    case 'loopback':
      return [address];
    default:
      return parts.slice(0, 6).every((part) => part === 0) ? [last] : [address];
  }
}

function ipv4(high = 0, low = 0): Address {
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

function inverted(part = 0): number {
  return part ^ 0xffff;
}

function parseRange(text: string): Range | null {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) return null;
  const address = ipaddr.parse(text);
  return [address, fullLength(address)];
}

function contains([base, bits]: Range, address: Address): boolean {
  return base.kind() === address.kind() && address.match(base, bits);
}

function includes(entry: string, address: Address): boolean {
  const range = parseRange(entry);
  return range !== null && contains(range, address);
}

function namesExactly(entry: string, address: Address, closed: Range): boolean {
  const range = parseRange(entry);
  if (range === null || !contains(range, address)) return false;
  return range[1] === fullLength(address) || (range[1] === closed[1] && contains(closed, range[0]));
}

function fullLength(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128;
}
