import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { NetworkProof } from '@/lib/state/watcher-outage';
import { connectToAddress } from './connect-address';
import { type StopSignal, startDeadline } from './deadline';
import { DnsFailureError, type DnsServer, listDnsServers, parseDnsServer, queryDns } from './dns-query';
import { echo, IcmpUnavailableError } from './icmp/icmp-echo';
import { type Link, readLinks, wayTo } from './links';
import { isFromPeer } from './net-error';

/** A nearby host that responds whenever this machine's network works. */
export type CanaryTarget =
  | { kind: 'ping'; address: string }
  | { kind: 'connect'; address: string; port: number }
  | { kind: 'resolver'; server: DnsServer };

/** A proof, and how to ask it: true if it responds, false if it is silent, null if this machine cannot ask it. Never rejects. */
export type AskableProof = NetworkProof & { ask(): Promise<boolean | null> };

/** What a watcher can learn of its own network. */
export type OwnNetwork = {
  /** `links` are those known; one that is down is not among those of `readLinks`. */
  listProofs(links: readonly Link[]): Promise<AskableProof[]>;
  readLinks(): Link[];
};

const PATIENCE_MS = 2000;
/** IPv4 and IPv6. */
const ROUTES_FILES = ['/proc/net/route', '/proc/net/ipv6_route'] as const;

/** Parses NETWORK_CANARY: an IP address is pinged, `address:port` is connected to. Null for anything else. */
export function parseCanaryTarget(text: string): CanaryTarget | null {
  if (isIP(text) !== 0) return { kind: 'ping', address: text };
  const parsed = parseDnsServer(text);
  return parsed ? { kind: 'connect', ...parsed } : null;
}

/**
 * The proofs that the network of this machine works: those of NETWORK_CANARY; without any, a lookup that no cache can hold, for what is
 * behind a gateway. The gateways are proof for their own links, except where NETWORK_CANARY lists one on that link.
 */
export function createOwnNetwork(canaries: readonly string[], dnsServers: readonly string[]): OwnNetwork {
  return {
    readLinks,
    listProofs: async (links) => {
      const configured = listConfigured(canaries, links);
      const gateways = (await readGateways()).map(({ address, link }) =>
        toProof({ kind: 'ping', address }, { id: `gateway ${address}`, way: `on-link ${link}` }),
      );
      const others = gateways.filter(({ way }) => configured.every((proof) => proof.way !== way));
      return [...(configured.length > 0 ? configured : [createLookup(dnsServers)]), ...others];
    },
  };
}

function listConfigured(canaries: readonly string[], links: readonly Link[]): AskableProof[] {
  return canaries.flatMap((text) => {
    const target = parseCanaryTarget(text);
    if (target === null || target.kind === 'resolver') return [];
    const way = wayTo(target.address, links) ?? 'routed';
    return [{ ...toProof(target, { id: text, way }), isConfigured: true }];
  });
}

function toProof(target: CanaryTarget, { id, way }: Pick<NetworkProof, 'id' | 'way'>): AskableProof {
  return { id, way, isConfigured: false, ask: () => isReachable(target) };
}

/** A name directly below `com`: its zone is too large for a resolver to derive from its cache that a name does not exist. */
const LOOKUP_ZONE = 'com';
const LABEL_BYTES = 16;

function createLookup(dnsServers: readonly string[]): AskableProof {
  const ask = async () => {
    const name = `${randomBytes(LABEL_BYTES).toString('hex')}.${LOOKUP_ZONE}`;
    const asked = listDnsServers(dnsServers).map((server) => resolves(server, name));
    if (asked.length === 0) return null;
    return Promise.any(asked).catch(() => false);
  };
  return { id: 'lookup', way: 'routed', isConfigured: false, ask };
}

/** Rejects unless the resolver responds that the name has records or does not exist: an error code, such as SERVFAIL, shows neither. */
async function resolves(server: DnsServer, name: string): Promise<true> {
  const deadline = startDeadline(PATIENCE_MS);
  try {
    await queryDns({ question: { name, type: 'A' }, servers: [server], signal: deadline.signal });
    return true;
  } finally {
    deadline.release();
  }
}

/** A default gateway, and the link it is on. */
type Gateway = { address: string; link: string };

async function readGateways(): Promise<Gateway[]> {
  const [ipv4, ipv6] = await Promise.all(ROUTES_FILES.map((file) => readFile(file, 'utf8').catch(() => '')));
  return [...parseGateways(ipv4 ?? ''), ...parseIpv6Gateways(ipv6 ?? '')];
}

/** The default gateways in /proc/net/route (little-endian hex addresses). */
export function parseGateways(routes: string): Gateway[] {
  return routes
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, destination, gateway]) => destination === '00000000' && gateway && gateway !== '00000000')
    .map(([link = '', , gateway = '']) => ({
      link,
      address: (gateway.match(/../g) ?? [])
        .reverse()
        .map((byte) => Number.parseInt(byte, 16))
        .join('.'),
    }));
}

/** The default gateways in /proc/net/ipv6_route. One that is only valid on its link has that as its zone. */
export function parseIpv6Gateways(routes: string): Gateway[] {
  const rows = routes.split('\n').map((line) => line.trim().split(/\s+/));
  return rows
    .filter(
      ([to, bits, , , gateway = NO_ADDRESS]) => to === NO_ADDRESS && bits === '00' && gateway !== NO_ADDRESS,
    )
    .map(([, , , , gateway = '', , , , , link = '']) => {
      const address = gateway.match(/.{4}/g)?.join(':') ?? '';
      return { link, address: /^fe[89ab]/.test(address) ? `${address}%${link}` : address };
    });
}

const NO_ADDRESS = '0'.repeat(32);

/** Whether a target responds in any way within two seconds; null if it cannot be asked from here (no permission to ping). Never rejects. */
export async function isReachable(target: CanaryTarget): Promise<boolean | null> {
  const deadline = startDeadline(PATIENCE_MS);
  try {
    await contact(target, deadline.signal);
    return true;
  } catch (error) {
    if (error instanceof IcmpUnavailableError) return null;
    // A refusal or an error code also means that the network works.
    return error instanceof DnsFailureError || (target.kind === 'connect' && isFromPeer(error));
  } finally {
    deadline.release();
  }
}

async function contact(target: CanaryTarget, signal: StopSignal): Promise<void> {
  switch (target.kind) {
    case 'ping':
      await echo(target.address, signal);
      return;
    case 'connect':
      (await connectToAddress(target.address, { port: target.port, isIdle: true }, signal)).destroy();
      return;
    case 'resolver':
      await queryDns({ question: { name: 'localhost', type: 'A' }, servers: [target.server], signal });
  }
}
