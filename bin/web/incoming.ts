import type { IncomingMessage } from 'node:http';
import { type Host, normalizeHost, readTarget } from '@/lib/platform/page-front/hosts/request-host';
import { isTrustedProxy, PEER_HEADER } from '@/lib/web/http/request-address';

/** A request by what counts of it: what was asked for, as the visitor saw it. */
export type Incoming = { host: Host; path: string; scheme: 'http' | 'https' };

/**
 * Reads where a request goes. What proxies say of host and scheme counts only from one of `trustedProxies`. Null for what
 * must be refused.
 */
export function readIncoming(
  { url = '/', rawHeaders, headers, socket }: IncomingMessage,
  trustedProxies: readonly string[],
): Incoming | null {
  const target = readTarget(url, listHosts(rawHeaders));
  if (target === null) return null;
  const { 'x-forwarded-host': forwardedHost, 'x-forwarded-proto': forwardedProto } = headers;
  const isSaid = forwardedHost !== undefined || forwardedProto !== undefined;
  if (!isSaid || !isTrustedProxy(socket.remoteAddress, trustedProxies)) return { ...target, scheme: 'http' };
  const host = forwardedHost === undefined ? target.host : normalizeHost(lastOf(forwardedHost));
  const scheme = lastOf(forwardedProto) === 'https' ? 'https' : 'http';
  return host && { host, path: target.path, scheme };
}

/** Takes from a request what only we may say to the application, and says it: who is at the other end. */
export function markPeer({ headers, socket }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (name.startsWith('x-pharos-')) delete headers[name];
  headers[PEER_HEADER] = socket.remoteAddress ?? '';
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
