import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { isAddressRange } from '@/lib/core/address-ranges';
import { toAsciiName } from '@/lib/core/addresses';
import { parseUrl } from '@/lib/core/parse-url';

/** Use of a range: `closed` unless listed exactly, `private` to some network, or `never` the address of a single host. */
type SpecialUse = 'closed' | 'private' | 'never';

type SpecialRow = readonly [cidr: string, use: SpecialUse, what: string, source: string];

/**
 * Every range that is not an ordinary target, with its source. The first match wins, so cloud metadata
 * addresses precede the private ranges that contain them. Ranges that IANA calls globally reachable but that
 * serve their own protocol (anycast relays and sinks) are listed as well.
 *
 * Addresses that embed an IPv4 address (mapped, 6to4, Teredo, NAT64 of 64:ff9b::/96) are judged by that
 * address.
 *
 * Sources: the IANA IPv4 and IPv6 Special-Purpose Address Registries and the RFCs they cite. IPv6 outside
 * 2000::/3 is not assigned to hosts (IANA IPv6 Address Space).
 */
export const SPECIAL_ADDRESSES: readonly SpecialRow[] = [
  // Cloud metadata services, which expose a machine's credentials.
  ['169.254.0.0/16', 'closed', 'link-local; metadata of most clouds at 169.254.169.254', 'RFC 3927'],
  ['fe80::/10', 'closed', 'link-local; metadata of OpenStack at fe80::a9fe:a9fe', 'RFC 4291'],
  ['fd00:ec2::/32', 'closed', 'AWS: metadata ::254, EKS Pod Identity ::23', 'Amazon EC2 and EKS user guides'],
  ['fd20:ce::254/128', 'closed', 'Google Cloud: metadata', 'Google Compute Engine: metadata server'],
  ['fd00:42::42/128', 'closed', 'Scaleway: metadata', 'cloud-init: Scaleway'],
  ['fd00:c1::a9fe:a9fe/128', 'closed', 'Oracle Cloud: metadata', 'OCI SDK: instance principals'],
  ['fd00:a9fe:a9fe::1/128', 'closed', 'Akamai: metadata', 'Akamai TechDocs: metadata service API'],
  ['fd00:100::100:200/128', 'closed', 'Alibaba Cloud: metadata', 'Alibaba Cloud ECS: instance metadata'],
  ['100.100.100.200/32', 'closed', 'Alibaba Cloud: metadata', 'Alibaba Cloud ECS: instance metadata'],
  ['168.63.129.16/32', 'closed', 'Azure: platform agent', 'Microsoft Learn: What is 168.63.129.16?'],
  ['192.0.0.0/24', 'closed', 'protocol assignments; Oracle Cloud Classic: metadata at .192', 'RFC 6890'],

  ['0.0.0.0/8', 'private', 'this network', 'RFC 791'],
  ['10.0.0.0/8', 'private', 'private use', 'RFC 1918'],
  ['100.64.0.0/10', 'private', 'shared address space', 'RFC 6598'],
  ['127.0.0.0/8', 'private', 'loopback', 'RFC 1122'],
  ['172.16.0.0/12', 'private', 'private use', 'RFC 1918'],
  ['192.0.2.0/24', 'private', 'documentation', 'RFC 5737'],
  ['192.31.196.0/24', 'private', 'AS112 anycast', 'RFC 7535'],
  ['192.52.193.0/24', 'private', 'multicast relays (AMT)', 'RFC 7450'],
  ['192.88.99.0/24', 'private', '6to4 relays', 'RFC 7526'],
  ['192.168.0.0/16', 'private', 'private use', 'RFC 1918'],
  ['192.175.48.0/24', 'private', 'AS112 anycast', 'RFC 7534'],
  ['198.18.0.0/15', 'private', 'benchmarks', 'RFC 2544'],
  ['198.51.100.0/24', 'private', 'documentation', 'RFC 5737'],
  ['203.0.113.0/24', 'private', 'documentation', 'RFC 5737'],
  ['224.0.0.0/4', 'never', 'multicast', 'RFC 5771'],
  ['255.255.255.255/32', 'never', 'broadcast', 'RFC 8190'],
  ['240.0.0.0/4', 'private', 'reserved', 'RFC 1112'],

  ['::/128', 'private', 'unspecified', 'RFC 4291'],
  ['::1/128', 'private', 'loopback', 'RFC 4291'],
  ['64:ff9b:1::/48', 'private', 'translation to IPv4 by a gateway inside (NAT64)', 'RFC 8215'],
  ['100::/64', 'private', 'discard', 'RFC 6666'],
  ['100:0:0:1::/64', 'private', 'dummy prefix', 'RFC 9780'],
  ['2001::/23', 'private', 'protocol assignments, benchmarks, ORCHID', 'RFC 2928'],
  ['2001:db8::/32', 'private', 'documentation', 'RFC 3849'],
  ['2620:4f:8000::/48', 'private', 'AS112 anycast', 'RFC 7534'],
  ['3fff::/20', 'private', 'documentation', 'RFC 9637'],
  ['5f00::/16', 'private', 'segment routing', 'RFC 9602'],
  ['fc00::/7', 'private', 'unique local', 'RFC 4193'],
  ['fec0::/10', 'private', 'site-local', 'RFC 3879'],
  ['ff00::/8', 'never', 'multicast', 'RFC 4291'],
];

type Address = ReturnType<typeof ipaddr.parse>;
type IPv6Address = ReturnType<typeof ipaddr.IPv6.parse>;
type Range = readonly [Address, number];

/** Which addresses the service may connect to; never changed. `allowedCidrs` is ALLOWED_PRIVATE_CIDRS; invalid entries are ignored. */
export type TargetPolicy = {
  readonly mode: 'public' | 'private';
  readonly allowedCidrs: readonly string[];
  /** Another policy that must allow them as well. */
  readonly within?: TargetPolicy;
};

/** Allows what both policies allow. */
export function combinePolicies(one: TargetPolicy, other: TargetPolicy): TargetPolicy {
  return one.mode === 'public' ? { ...one, within: other } : { ...other, within: one };
}

const SPECIAL_RANGES = SPECIAL_ADDRESSES.map(([cidr, use]) => ({ range: ipaddr.parseCIDR(cidr), use }));
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
const LOCAL_NAT64 = ipaddr.parseCIDR('64:ff9b:1::/48');

/** A name that only has a meaning within one network (hosts file, search domains). */
const LOCAL_NAME = /^(?:[^.]+|.+\.localhost)\.?$/i;

/**
 * Whether the policy allows connections to an address (IPv4 or IPv6, canonical notation). An IPv6 address
 * that embeds an IPv4 address is judged by the embedded one. Anything that is not an address is rejected.
 */
export function isAddressAllowed(address: string, policy: TargetPolicy): boolean {
  const known = verdictsOf(policy);
  const verdict = known.get(address);
  if (verdict !== undefined) return verdict;
  const { within } = policy;
  const judged = judgeAddress(address, policy) && (within === undefined || isAddressAllowed(address, within));
  known.set(address, judged);
  return judged;
}

/** Asked twice for every connection, mostly about the same addresses. */
const MAX_VERDICTS = 10_000;
const verdicts = new WeakMap<TargetPolicy, LRUCache<string, boolean>>();

function verdictsOf(policy: TargetPolicy): LRUCache<string, boolean> {
  const known = verdicts.get(policy);
  if (known) return known;
  const added = new LRUCache<string, boolean>({ max: MAX_VERDICTS });
  verdicts.set(policy, added);
  return added;
}

function judgeAddress(address: string, policy: TargetPolicy): boolean {
  const parsed = ipaddr.isValid(address) ? ipaddr.parse(address) : null;
  if (parsed === null) return false;
  return judgedAddresses(parsed).every((one) => isOpen(one, policy));
}

/** The canonical address of a literal in any notation that URLs accept (`127.1`, `2130706433`, `[::1]`); null for a name. */
export function literalAddress(host: string): string | null {
  if (PLAIN_NAME.test(host)) return null;
  const known = literals.get(host);
  if (known) return known.address;
  const address = readLiteral(host);
  literals.set(host, { address });
  return address;
}

/** The last label of an IPv4 address in any notation begins with a digit. */
const PLAIN_NAME = /^(?:[\w-]+\.)*[a-z][\w-]*\.?$/i;

/** Asked for every check, mostly about the same hosts. */
const literals = new LRUCache<string, { address: string | null }>({ max: MAX_VERDICTS });

function readLiteral(host: string): string | null {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  if (isIPv6(bare)) return ipaddr.parse(bare).toString();
  if (host === '' || /[/\\?#@:\s]/.test(host)) return null;
  const canonical = parseUrl(`http://${host}`)?.hostname;
  return canonical && ipaddr.IPv4.isValidFourPartDecimal(canonical) ? canonical : null;
}

/**
 * Whether a host may be resolved at all. Under `public`, names without a dot and names under localhost are
 * rejected whether or not they exist, so that no one can discover internal names.
 */
export function isNameAllowed(host: string, policy: TargetPolicy): boolean {
  return policy.mode === 'private' || literalAddress(host) !== null || !LOCAL_NAME.test(toAsciiName(host));
}

/** Whether a host is allowed judging by its text alone: as an address, or by the kind of name. */
export function isHostAllowed(host: string, policy: TargetPolicy): boolean {
  const address = literalAddress(host);
  return address === null ? isNameAllowed(host, policy) : isAddressAllowed(address, policy);
}

/** Whether a text is an address or CIDR range, as in `allowedCidrs`. */
export function isCidr(text: string): boolean {
  return parseRange(text) !== null;
}

function isOpen(address: Address, policy: TargetPolicy): boolean {
  const special = SPECIAL_RANGES.find(({ range }) => contains(range, address));
  // Everything else is the public internet, except unassigned parts of IPv6.
  if (!special && (address.kind() === 'ipv4' || contains(GLOBAL_UNICAST, address))) return true;
  if (special?.use === 'never') return false;
  if (special?.use === 'closed') {
    return policy.allowedCidrs.some((entry) => namesExactly(entry, address, special.range));
  }
  if (policy.allowedCidrs.some((entry) => includes(entry, address))) return true;
  return policy.mode === 'private' && policy.allowedCidrs.length === 0;
}

/** The addresses to judge: the address itself, or the IPv4 addresses embedded by a transition mechanism. */
function judgedAddresses(address: Address): Address[] {
  if (address.kind() === 'ipv4') return [address];
  const { parts } = address as IPv6Address;
  const last = ipv4(parts[6], parts[7]);
  switch (address.range()) {
    case 'ipv4Mapped':
    case 'rfc6145':
      return [last];
    case 'rfc6052':
      return contains(LOCAL_NAT64, address) ? [address, last, ...localNat64Addresses(parts)] : [last];
    case '6to4':
      return [ipv4(parts[1], parts[2])];
    case 'teredo':
      // Teredo embeds the server as is and the client with inverted bits.
      return [ipv4(parts[2], parts[3]), ipv4(inverted(parts[6]), inverted(parts[7]))];
    case 'unspecified':
    case 'loopback':
      return [address];
    default:
      return parts.slice(0, 6).every((part) => part === 0) ? [last] : [address];
  }
}

/**
 * The local-use prefix may belong to an internal gateway, so it must be allowed itself. Its operator chooses
 * where the IPv4 address is embedded (RFC 6052, section 2.2): after 48, 56 or 64 bits, with a gap at bit 64,
 * or at the end.
 */
function localNat64Addresses([, , , third = 0, fourth = 0, fifth = 0, sixth = 0]: number[]): Address[] {
  return [
    ipv4(third, ((fourth & 0xff) << 8) | (fifth >> 8)),
    ipv4(((third & 0xff) << 8) | (fourth & 0xff), fifth),
    ipv4(((fourth & 0xff) << 8) | (fifth >> 8), ((fifth & 0xff) << 8) | (sixth >> 8)),
  ];
}

function ipv4(high = 0, low = 0): Address {
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

function inverted(part = 0): number {
  return part ^ 0xffff;
}

function parseRange(text: string): Range | null {
  if (!isAddressRange(text)) return null;
  if (text.includes('/')) return ipaddr.parseCIDR(text);
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
