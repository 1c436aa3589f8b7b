import { getServers } from 'node:dns';
import { isIP } from 'node:net';

/** A DNS server, by address. */
export type DnsServer = { address: string; port: number };

/** The servers in `configured` (as DNS_SERVERS has them: `10.0.0.2`, `10.0.0.2:5353`, `[::1]:53`), else the system's. */
export function listDnsServers(configured: readonly string[] = []): DnsServer[] {
  const texts = configured.length > 0 ? configured : getServers();
  return texts.map(parseDnsServer).filter((server) => server !== null);
}

/** Reads `address`, `address:port` or `[address]:port`; null when it names no address. */
export function parseDnsServer(text: string): DnsServer | null {
  const match = /^\[(.+)\](?::(\d+))?$/.exec(text) ?? /^([^:]+):(\d+)$/.exec(text);
  const address = match?.[1] ?? text;
  const port = Number(match?.[2] ?? 53);
  return isIP(address) !== 0 && port >= 1 && port <= 65_535 ? { address, port } : null;
}
