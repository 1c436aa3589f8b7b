import { existsSync } from 'node:fs';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { isLoopbackHost, type Way } from '@/lib/state/watcher-outage';

/** A directly attached subnet: hosts in it are reached without a gateway. `own` are the addresses of this machine. */
export type Link = { name: string; own: readonly string[]; subnets: readonly Subnet[] };

type Address = ReturnType<typeof ipaddr.process>;
type Subnet = [Address, number];

const NO_HARDWARE = '00:00:00:00:00:00';

/** The links of this machine that are up. Tunnels, such as those of a VPN, have addresses but no subnets: what is behind them is routed. */
export function readLinks(
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
  isTunnel = hasTunnelFlags,
): Link[] {
  return Object.entries(interfaces).map(([name, infos = []]) => ({
    name,
    own: infos.map(({ address }) => normalize(address)),
    subnets: infos
      .filter(({ mac, internal }) => !internal && mac !== NO_HARDWARE && !isTunnel(name))
      .flatMap(({ cidr }) => (cidr === null ? [] : [ipaddr.parseCIDR(cidr)])),
  }));
}

/** Taps look like Ethernet. */
function hasTunnelFlags(name: string): boolean {
  return existsSync(`/sys/class/net/${name}/tun_flags`);
}

/** The way to an address; null: it is of this machine. */
export function wayTo(address: string, links: readonly Link[]): Way | null {
  if (isLoopbackHost(address) || !ipaddr.isValid(address)) return isLoopbackHost(address) ? null : 'routed';
  const parsed = ipaddr.process(address);
  const text = parsed.toString();
  if (links.some(({ own }) => own.includes(text))) return null;
  const link = links.find(({ subnets }) => subnets.some((subnet) => contains(subnet, parsed)));
  return link ? `on-link ${link.name}` : 'routed';
}

function contains([network, bits]: Subnet, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}

function normalize(address: string): string {
  return ipaddr.process(address).toString();
}

/**
 * The links that there are now, and those known before that have disappeared, as a link does that is down: what is reached over it is
 * still reached over it once it is back.
 */
export function rememberLinks(known: readonly Link[], now: readonly Link[]): Link[] {
  const names = new Set(now.map(({ name }) => name));
  return [...now, ...known.filter(({ name }) => !names.has(name)).slice(0, MAX_REMEMBERED)];
}

/** Virtual links come and go, each with a new name. */
const MAX_REMEMBERED = 32;
