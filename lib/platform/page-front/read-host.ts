import type { IncomingMessage } from 'node:http';

/** A host as hosts are compared: lower case, without a trailing dot; and the port that was named beside it, or ''. */
export type Host = { name: string; port: string };

/** What a request asks for: which host, and there which path with its query. */
export type RequestTarget = { host: Host; path: string };

const HOST = /^([a-z0-9._-]{1,254}|\[[0-9a-f:.]{2,45}\])(?::(\d{0,5}))?$/i;
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;
const NO_HOST: Host = { name: '', port: '' };

/** Reads the text of a Host header; null for what is no host, such as one with a user, a blank or a letter beyond ASCII. */
export function normalizeHost(text: string): Host | null {
  const match = HOST.exec(text);
  if (match === null) return null;
  const [, given = '', port = ''] = match;
  if (Number(port) > 65_535) return null;
  const name = given.startsWith('[') ? normalizeIpv6(given) : normalizeName(given);
  return name === null ? null : { name, port: port === '' ? '' : String(Number(port)) };
}

/**
 * What a request asks for by its request line and all its Host headers (RFC 9112, 3.2): the host of an absolute-form
 * target wins over the header. Without either the host is ''. Null for what a server must refuse: two Host headers, or an
 * invalid one.
 */
export function readTarget(url: string, hosts: readonly string[]): RequestTarget | null {
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
  const address = `http://${given}`;
  return URL.canParse(address) ? new URL(address).hostname : null;
}

/** A request by what counts of it: what was asked for, as the visitor saw it. */
export type Incoming = { host: Host; path: string; scheme: 'http' | 'https' };

/**
 * Reads where a request goes. What proxies say of host and scheme counts only where `isTrustedProxy` says so of the
 * other end of the connection. Null for what must be refused.
 */
export function readIncoming(
  { url = '/', rawHeaders, headers, socket }: IncomingMessage,
  isTrustedProxy: (peer: string | undefined) => boolean,
): Incoming | null {
  const target = readTarget(url, listHosts(rawHeaders));
  if (target === null) return null;
  const { 'x-forwarded-host': forwardedHost, 'x-forwarded-proto': forwardedProto } = headers;
  const isSaid = forwardedHost !== undefined || forwardedProto !== undefined;
  if (!isSaid || !isTrustedProxy(socket.remoteAddress)) return { ...target, scheme: 'http' };
  const host = forwardedHost === undefined ? target.host : normalizeHost(lastOf(forwardedHost));
  const scheme = lastOf(forwardedProto) === 'https' ? 'https' : 'http';
  return host && { host, path: target.path, scheme };
}

/** Node keeps the first of several Host headers; a request with more than one is to be refused. */
function listHosts(rawHeaders: string[]): string[] {
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts.push(rawHeaders[index + 1] ?? '');
  }
  return hosts;
}

/** Of a list that each proxy adds to, what the nearest said: the one that we trust. */
function lastOf(value: string | string[] | undefined): string {
  return [value ?? ''].flat().join().split(',').at(-1)?.trim() ?? '';
}
