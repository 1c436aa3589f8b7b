import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connectToAddress } from './connect';
import { startDeadline } from './deadline';
import { DnsFailureError, type DnsServer, listDnsServers, parseDnsServer, queryDns } from './dns-query';
import { echo, IcmpUnavailableError } from './icmp-echo';
import { NetError } from './net-error';

/** Something close by that answers as long as the network works. */
export type CanaryTarget =
  | { kind: 'ping'; address: string }
  | { kind: 'connect'; address: string; port: number }
  | { kind: 'resolver'; server: DnsServer };

const PATIENCE_MS = 2000;
const GATEWAYS_FILE = '/proc/net/route';

/** Reads NETWORK_CANARY: an IP address is pinged, `address:port` is connected to. Null where the text is neither. */
export function parseCanaryTarget(text: string): CanaryTarget | null {
  if (isIP(text) !== 0) return { kind: 'ping', address: text };
  const parsed = parseDnsServer(text);
  return parsed ? { kind: 'connect', ...parsed } : null;
}

/** The canaries of a worker that is told none: its default gateway and its resolvers. */
export async function listDefaultCanaries(dnsServers: readonly string[]): Promise<CanaryTarget[]> {
  const routes = await readFile(GATEWAYS_FILE, 'utf8').catch(() => '');
  const gateways = parseGateways(routes).map((address) => ({ kind: 'ping' as const, address }));
  return [
    ...gateways,
    ...listDnsServers(dnsServers).map((server) => ({ kind: 'resolver' as const, server })),
  ];
}

/** The default gateways in the text of /proc/net/route (addresses are little-endian hex there). */
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
 * Whether the network of this machine works: true as soon as one canary answers, in whatever way. False when none
 * does within two seconds. Null when none can be asked (no gateway, no right to ping): then nobody knows.
 */
export function askCanaries(targets: readonly CanaryTarget[]): Promise<boolean | null> {
  const asked = targets.map(isReachable);
  return new Promise((resolve) => {
    for (const one of asked) void one.then((isReached) => isReached && resolve(true));
    void Promise.all(asked).then((responses) => resolve(responses.includes(false) ? false : null));
  });
}

async function isReachable(target: CanaryTarget): Promise<boolean | null> {
  const deadline = startDeadline(PATIENCE_MS);
  try {
    await ask(target, deadline.signal);
    return true;
  } catch (error) {
    if (error instanceof IcmpUnavailableError) return null;
    // A refusal and an error code come from somebody who was reached.
    return error instanceof DnsFailureError || (error instanceof NetError && /refused/.test(error.message));
  } finally {
    deadline.release();
  }
}

async function ask(target: CanaryTarget, signal: AbortSignal): Promise<void> {
  switch (target.kind) {
    case 'ping':
      await echo(target.address, signal);
      return;
    case 'connect':
      (await connectToAddress(target.address, target.port, signal)).destroy();
      return;
    case 'resolver':
      await queryDns({ question: { name: 'localhost', type: 'A' }, servers: [target.server], signal });
  }
}
