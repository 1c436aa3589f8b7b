/** What a check shows about the watcher's own network. Omits unknown outcomes, which reached nobody. */
export type Reach = {
  /** Host name or address of the target, without port. */
  host: string;
  ok: boolean;
  /** True when the network failed (DNS, connect, timeout) rather than the target. */
  networkFailure: boolean;
  /** When the result arrived, in epoch milliseconds. */
  at: number;
};

export const OUTAGE_WINDOW_MS = 10_000;
export const OUTAGE_HOSTS = 5;

/** What recent checks showed of the watcher's network: constant work per check, at most one entry per host. */
export type ReachWindow = { failedAt: Map<string, number>; reachedAt: number };

/** A window without checks. */
export function createReachWindow(): ReachWindow {
  return { failedAt: new Map(), reachedAt: Number.NEGATIVE_INFINITY };
}

/**
 * Adds a check to the window, which it changes. Any response means a host was reached, even a wrong one: earlier failures had
 * another cause. Loopback targets prove nothing.
 */
export function noteReach(window: ReachWindow, { host, ok, networkFailure, at }: Reach): void {
  if (isLoopbackHost(host)) return;
  if (ok || !networkFailure) {
    window.reachedAt = at;
    window.failedAt.clear();
  } else window.failedAt.set(normalize(host), at);
}

/**
 * Whether the watcher itself may be cut off, so that its canary has to be checked: at least 5 different hosts had network
 * failures within the last 10 s and none was reached. It is only an outage if the canary fails too.
 */
export function suspectsWatcherOutage({ failedAt, reachedAt }: ReachWindow, now: number): boolean {
  if (now - reachedAt <= OUTAGE_WINDOW_MS) return false;
  let hosts = 0;
  for (const at of failedAt.values()) if (now - at <= OUTAGE_WINDOW_MS) hosts += 1;
  return hosts >= OUTAGE_HOSTS;
}

/** The number of different hosts in these results. */
export function countHosts(results: readonly Reach[]): number {
  return new Set(results.map(({ host }) => normalize(host))).size;
}

/** Whether a host is this machine: localhost or loopback, including bracketed and IPv4-mapped addresses. */
export function isLoopbackHost(host: string): boolean {
  if (!/localhost|127\.|:/i.test(host)) return false;
  const name = normalize(host);
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (/^(0*:)+:?0*1$/.test(name)) return true;
  return /^(::ffff:)?127(\.\d{1,3}){3}$/.test(name) || /^::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/.test(name);
}

function normalize(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}
