/**
 * How far a range is from an ordinary target: `closed` under every policy unless it is named exactly, `private` to some
 * network, or `never` the address of one host.
 */
type SpecialUse = 'closed' | 'private' | 'never';
type SpecialRow = readonly [cidr: string, use: SpecialUse, what: string, source: string];

/**
 * Every range that is no ordinary target, with who says so. The first one that contains an address counts: what clouds put
 * into private ranges comes before these. Ranges that IANA calls globally reachable but that serve a protocol of their
 * own (anycast relays and sinks) are no ordinary targets either.
 *
 * Addresses that only carry an IPv4 address (mapped, 6to4, Teredo, NAT64 of 64:ff9b::/96) are judged by that one.
 *
 * IPv4 and IPv6: the IANA Special-Purpose Address Registries and the RFCs that they cite. IPv6 outside of 2000::/3 is
 * not given to hosts at all (IANA IPv6 Address Space).
 */
export const SPECIAL_ADDRESSES: readonly SpecialRow[] = [
  // Where clouds tell a machine its own secrets.
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
