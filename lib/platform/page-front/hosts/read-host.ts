import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { parseUrl } from '@/lib/core/parse-url';

/** A normalized host: lowercase, without a trailing dot; and its port, or ''. */
type Host = Readonly<{ name: string; port: string }>;

/** The relevant parts of a request, as seen by the visitor; the path includes the query. */
export type Incoming = { host: Host; path: string; scheme: 'http' | 'https' };

const HOST = /^([a-z0-9._-]{1,254}|\[[0-9a-f:.]{2,45}\])(?::(\d{0,5}))?$/i;
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;
const NO_HOST: Host = { name: '', port: '' };

/** Clients send few distinct hosts, all of them short. */
const parsed = new LRUCache<string, Host>({ max: 1000 });

/** Parses a Host header; null if it is invalid, such as with a user, a space or a non-ASCII letter. */
export function normalizeHost(text: string): Host | null {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const host = parseHost(text);
  if (host !== null) parsed.set(text, host);
  return host;
}

function parseHost(text: string): Host | null {
  const match = HOST.exec(text);
  if (match === null) return null;
  const [, given = '', port = ''] = match;
  if (Number(port) > 65_535) return null;
  const name = given.startsWith('[') ? normalizeIpv6(given) : normalizeName(given);
  return name === null ? null : { name, port: port === '' ? '' : String(Number(port)) };
}

/**
 * The target by request line and Host headers (RFC 9112, 3.2): the host of an absolute-form target takes precedence over
 * the header. Without either the host is ''. Null for requests that a server must reject: two Host headers, or an invalid one.
 */
export function readTarget(url: string, hosts: readonly string[]): Omit<Incoming, 'scheme'> | null {
  const [header, ...others] = hosts;
  if (others.length > 0) return null;
  const host = header === undefined || header === '' ? NO_HOST : normalizeHost(header);
  if (host === null) return null;
  if (url.startsWith('/') || url === '*') return { host, path: url };
  const [, authority = '', rest = ''] = ABSOLUTE.exec(url) ?? [];
  const absolute = normalizeHost(authority);
  return absolute && { host: absolute, path: rest.startsWith('/') ? rest : `/${rest}` };
}

function normalizeName(given: string): string | null {
  const name = given.toLowerCase().replace(/\.$/, '');
  return name.split('.').includes('') ? null : name;
}

function normalizeIpv6(given: string): string | null {
  return parseUrl(`http://${given}`)?.hostname ?? null;
}

/** Parses a request; null for one to reject. Proxy headers for host and scheme only count if `isTrustedProxy` accepts the peer. */
export function readIncoming(
  { url = '/', rawHeaders, headers, socket }: IncomingMessage,
  isTrustedProxy: (peer: string | undefined) => boolean,
): Incoming | null {
  const target = readTarget(url, listHosts(rawHeaders));
  if (target === null) return null;
  const { 'x-forwarded-host': forwardedHost, 'x-forwarded-proto': forwardedProto } = headers;
  const isForwarded = forwardedHost !== undefined || forwardedProto !== undefined;
  if (!isForwarded || !isTrustedProxy(socket.remoteAddress)) {
    return { host: target.host, path: target.path, scheme: 'http' };
  }
  const host = forwardedHost === undefined ? target.host : normalizeHost(lastOf(forwardedHost));
  const scheme = lastOf(forwardedProto) === 'https' ? 'https' : 'http';
  return host && { host, path: target.path, scheme };
}

/** Node keeps only the first Host header; a request with several must be rejected. */
function listHosts(rawHeaders: string[]): string[] {
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts.push(rawHeaders[index + 1] ?? '');
  }
  return hosts;
}

/** The last value of a list that each proxy appends to: that of the nearest proxy, which we trust. */
function lastOf(value: string | string[] | undefined): string {
  return [value ?? ''].flat().join().split(',').at(-1)?.trim() ?? '';
}
