import ipaddr from 'ipaddr.js';
import { type MonitorType, readTarget } from '@/lib/checks/types';
import { ipVersion } from '@/lib/core/addresses';
import type { StatusEffect } from '@/lib/state/types';

/** Causes of a change that are compared, the most specific first. */
const MAX_CAUSES = 20;
const MAX_CAUSE_LENGTH = 300;

/** Errors of the network, which a region or a resolver can have. What a target responds is its own fault. */
const NETWORK_ERRORS = new Map([
  ['timeout', 'timeouts'],
  ['dns', 'DNS errors'],
  ['connect', 'failed connections'],
  ['connection_lost', 'lost connections'],
  ['no_reply', 'pings without a reply'],
]);

/** An address in a message of a probe: `10.0.0.5:443`, `[::1]:80`. */
const PEER = /(?:^|[\s(])(?:\[([0-9a-f:.]+)\]|(\d{1,3}(?:\.\d{1,3}){3})):\d+/i;

/**
 * What could have caused a change other than its monitor itself, each as a text that can be compared: the host, the address range (/24,
 * or /48 of IPv6) where the address is known, the resolver, and the errors of the network in each region. Empty for a recovery, and
 * for what is not probed.
 */
export function listCauses(
  monitor: { type: MonitorType; url: string },
  { to, why }: Pick<StatusEffect, 'to' | 'why'>,
): string[] {
  if (to === 'operational' || to === 'pending') return [];
  const target = readTarget(monitor);
  const host = target?.lookup ?? target?.host ?? null;
  if (host === null) return [];
  const failing = why.regions.filter(({ vote, error }) => vote && error !== null);
  const addresses = [bare(host), ...failing.map(({ error }) => findAddress(error?.message ?? ''))];
  const hasDnsError = failing.some(({ error }) => error?.code === 'dns');
  const resolver = hasDnsError && target?.lookup !== undefined ? target.host : null;
  const causes = [
    `host:${host.toLowerCase()}`,
    ...addresses.flatMap((address) => rangeOf(address) ?? []).map((range) => `range:${range}`),
    ...(resolver === null ? [] : [`resolver:${resolver}`]),
    ...failing.flatMap(({ region, error }) => {
      return error !== null && NETWORK_ERRORS.has(error.code) ? [`${error.code}@${region}`] : [];
    }),
  ];
  return [...new Set(causes)].filter(({ length }) => length <= MAX_CAUSE_LENGTH).slice(0, MAX_CAUSES);
}

const bare = (host: string) => host.replace(/^\[(.*)\]$/, '$1');

function findAddress(message: string): string {
  const [, v6, v4] = PEER.exec(message) ?? [];
  return v6 ?? v4 ?? '';
}

/** The network of an address; null for what is none. */
function rangeOf(address: string): string | null {
  const version = ipVersion(address);
  if (version === 0) return null;
  const range = `${address}/${version === 4 ? 24 : 48}`;
  const network =
    version === 4 ? ipaddr.IPv4.networkAddressFromCIDR(range) : ipaddr.IPv6.networkAddressFromCIDR(range);
  return `${network.toString()}/${version === 4 ? 24 : 48}`;
}

/** “same host example.com”, from what changes have in common, the most specific first; empty without any. */
export function formatCause(causes: readonly string[], nameRegion: (region: string) => string): string {
  const find = (prefix: string) => causes.find((cause) => cause.startsWith(prefix))?.slice(prefix.length);
  const host = find('host:');
  if (host !== undefined) return `same host ${host}`;
  const range = find('range:');
  if (range !== undefined) return `same address range ${range}`;
  const resolver = find('resolver:');
  if (resolver !== undefined) return `DNS errors of the resolver ${resolver}`;
  const [error = '', region = ''] = causes.find((cause) => cause.includes('@'))?.split('@') ?? [];
  const errors = NETWORK_ERRORS.get(error);
  return errors === undefined ? '' : `${errors} in ${nameRegion(region)}`;
}
