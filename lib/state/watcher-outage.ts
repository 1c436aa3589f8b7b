/** What one check says about the watcher's own network. Leave out checks of unknown outcome: they asked nobody. */
export type Reach = {
  /** Host name or address of the target, without port. */
  host: string;
  ok: boolean;
  /** True where the network failed (DNS, connect, timeout) rather than an answer. */
  networkFailure: boolean;
  /** When the result came, epoch milliseconds. */
  at: number;
};

export const OUTAGE_WINDOW_MS = 10_000;
export const OUTAGE_HOSTS = 5;

/**
 * Whether the watcher itself may be cut off, so that its canary has to be asked: at least 5 different hosts failed by
 * network within the last 10 s and none was reached. An answer of any kind reaches a host, a wrong one too. Loopback
 * targets prove nothing either way. Only when the canary fails as well is it an outage.
 */
export function suspectsWatcherOutage(results: readonly Reach[], now: number): boolean {
  const recent = results.filter(({ at, host }) => now - at <= OUTAGE_WINDOW_MS && !isLoopbackHost(host));
  if (recent.some((result) => result.ok || !result.networkFailure)) return false;
  return countHosts(recent) >= OUTAGE_HOSTS;
}

/** How many different hosts these results are about. */
export function countHosts(results: readonly Reach[]): number {
  return new Set(results.map(({ host }) => normalize(host))).size;
}

/** Whether a host, by its text, is this machine: localhost and the loopback addresses, bracketed or IPv4-mapped too. */
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
