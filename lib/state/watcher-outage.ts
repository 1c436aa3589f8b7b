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

/**
 * Whether the watcher itself may be cut off, so that its canary has to be checked: at least 5 different hosts
 * had network failures within the last 10 s and none was reached. Any response means a host was reached, even
 * a wrong one. Loopback targets prove nothing. It is only an outage if the canary fails too.
 */
export function suspectsWatcherOutage(results: readonly Reach[], now: number): boolean {
  const recent = results.filter(({ at, host }) => now - at <= OUTAGE_WINDOW_MS && !isLoopbackHost(host));
  if (recent.some((result) => result.ok || !result.networkFailure)) return false;
  return countHosts(recent) >= OUTAGE_HOSTS;
}

/** The number of different hosts in these results. */
export function countHosts(results: readonly Reach[]): number {
  return new Set(results.map(({ host }) => normalize(host))).size;
}

/** Whether a host is this machine: localhost or loopback, including bracketed and IPv4-mapped addresses. */
export function isLoopbackHost(host: string): boolean {
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
