import { LRUCache } from 'lru-cache';
import type { ProbeErrorCode, ProbeResult } from '@/lib/checks/result';
import { readTarget } from '@/lib/checks/types';
import type { OwnNetwork } from '@/lib/platform/net/canary';
import { type Link, rememberLinks, wayTo } from '@/lib/platform/net/links';
import { literalAddress } from '@/lib/platform/net/target-policy';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { isLoopbackHost, type Way } from '@/lib/state/watcher-outage';

/** What a check connects to, and how. */
export type CheckedHost = { host: string; target: ProbeTarget };

/** Knows on which way each host is. */
export type Places = ReturnType<typeof createPlaces>;

const LOOKUP_FAILED: ProbeErrorCode = 'dns';
const MAX_NAMES = 50_000;
const NOTHING = { reached: null, failed: [] };

/** The way of a name is that of its last known address; that of one which was never looked up is `routed`. */
export function createPlaces(network: Pick<OwnNetwork, 'readLinks'>) {
  let links: readonly Link[] = rememberLinks([], network.readLinks());
  /** Of names and literal addresses; null: this machine. */
  let ways = new Map<string, Way | null>();
  const addresses = new LRUCache<string, string>({ max: MAX_NAMES });

  const toAddress = (address: string): Way | null => {
    const known = ways.get(address);
    if (known !== undefined) return known;
    const way = wayTo(address, links);
    // Cleared with each refresh.
    if (ways.size < MAX_NAMES) ways.set(address, way);
    return way;
  };

  const toHost = (host: string, seen: string | null): Way | null => {
    const literal = literalAddress(host);
    if (literal !== null) return toAddress(literal);
    if (isLoopbackHost(host)) return null;
    const last = addresses.get(host);
    if (seen !== null && seen !== last) addresses.set(host, seen);
    const address = seen ?? last;
    return address === undefined ? 'routed' : toAddress(address);
  };

  return {
    links: (): readonly Link[] => links,
    /** Reads the links of this machine again. */
    refresh: (): void => {
      links = rememberLinks(links, network.readLinks());
      ways = new Map();
    },
    /** On which way a check reached something, and on which ways the network failed. Nothing is shown by what is on this machine. */
    locate: ({ host, target }: CheckedHost, result: ProbeResult): { reached: Way | null; failed: Way[] } => {
      const { networkFailure, address = null } = result;
      const isResolverFailure = networkFailure && result.error?.code === LOOKUP_FAILED && address !== null;
      const way = toHost(host, isResolverFailure ? null : address);
      if (!networkFailure) return way === null ? NOTHING : { reached: way, failed: [] };
      // An error code is the response of a resolver, which may have lost the way to the others unless that is its own.
      if (isResolverFailure) {
        const ofResolver = toAddress(address);
        return ofResolver === 'routed'
          ? { reached: ofResolver, failed: [] }
          : { reached: ofResolver, failed: ['routed'] };
      }
      if (way === null) return NOTHING;
      // A lookup may need another way than the target.
      const failed: Way[] = isLookup(host, target, result) && way !== 'routed' ? [way, 'routed'] : [way];
      return { reached: null, failed };
    },
  };
}

/** Whether it failed before an address was known. */
function isLookup(host: string, target: ProbeTarget, { error, phases }: ProbeResult): boolean {
  if (error?.code === LOOKUP_FAILED || readTarget(target)?.lookup != null) return true;
  return error?.code === 'timeout' && phases.dns === null && literalAddress(host) === null;
}
