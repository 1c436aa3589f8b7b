import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connectToAddress } from './connect';
import { type StopSignal, startDeadline } from './deadline';
import { DnsFailureError, type DnsServer, listDnsServers, parseDnsServer, queryDns } from './dns-query';
import { echo, IcmpUnavailableError } from './icmp/icmp-echo';
import { NetError } from './net-error';

/** A nearby host that responds whenever this machine's network works. */
export type CanaryTarget =
  | { kind: 'ping'; address: string }
  | { kind: 'connect'; address: string; port: number }
  | { kind: 'resolver'; server: DnsServer };

const PATIENCE_MS = 2000;
const GATEWAYS_FILE = '/proc/net/route';

/** Parses NETWORK_CANARY: an IP address is pinged, `address:port` is connected to. Null for anything else. */
export function parseCanaryTarget(text: string): CanaryTarget | null {
  if (isIP(text) !== 0) return { kind: 'ping', address: text };
  const parsed = parseDnsServer(text);
  return parsed ? { kind: 'connect', ...parsed } : null;
}

/** The default canaries: the default gateways and the resolvers. */
export async function listDefaultCanaries(dnsServers: readonly string[]): Promise<CanaryTarget[]> {
  const routes = await readFile(GATEWAYS_FILE, 'utf8').catch(() => '');
  const gateways = parseGateways(routes).map((address) => ({ kind: 'ping' as const, address }));
  return [
    ...gateways,
    ...listDnsServers(dnsServers).map((server) => ({ kind: 'resolver' as const, server })),
  ];
}

/**
 * Whether the network of this machine works: whether one of its canaries responds, by default those of `listDefaultCanaries`. Null if there is none to
 * ask.
 */
export async function checkCanary(
  canaries: readonly string[],
  dnsServers: readonly string[],
): Promise<boolean | null> {
  const parsed = canaries.map(parseCanaryTarget).filter((target) => target !== null);
  return checkCanaries(canaries.length === 0 ? await listDefaultCanaries(dnsServers) : parsed);
}

/** The default gateways in /proc/net/route (little-endian hex addresses). */
export function parseGateways(routes: string): string[] {
  return routes
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, destination, gateway]) => destination === '00000000' && gateway && gateway !== '00000000')
    .map(([, , gateway = '']) =>
      (gateway.match(/../g) ?? [])
        .reverse()
        .map((byte) => Number.parseInt(byte, 16))
        .join('.'),
    );
}

/**
 * Whether this machine's network works: true as soon as one canary responds in any way, false when none does
 * within two seconds, null when no canary can be contacted (no gateway, no permission to ping).
 */
export function checkCanaries(targets: readonly CanaryTarget[]): Promise<boolean | null> {
  const checks = targets.map(isReachable);
  return new Promise((resolve) => {
    for (const one of checks) void one.then((isReached) => isReached && resolve(true));
    void Promise.all(checks).then((responses) => resolve(responses.includes(false) ? false : null));
  });
}

async function isReachable(target: CanaryTarget): Promise<boolean | null> {
  const deadline = startDeadline(PATIENCE_MS);
  try {
    await contact(target, deadline.signal);
    return true;
  } catch (error) {
    if (error instanceof IcmpUnavailableError) return null;
    // A refusal or an error code also means that the network works.
    return error instanceof DnsFailureError || (error instanceof NetError && /refused/.test(error.message));
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
