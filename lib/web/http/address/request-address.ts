import ipaddr from 'ipaddr.js';
import { isInRanges } from '@/lib/core/address-ranges';
import { DomainError } from '@/lib/core/errors';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { type Environment, getEnvironment } from '@/lib/env';
import { PAGE_HOST_HEADER } from '@/lib/platform/page-front/application';
import { canonicalDomain } from '@/lib/schemas/domain-name';

/** Set by our server on every request to the peer's address; values from clients are dropped. */
export const PEER_HEADER = 'x-pharos-peer';

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;

const FORWARDED = /^(forwarded|x-forwarded-|x-real-ip$|via$|cf-connecting-ip$|true-client-ip$)/i;

type Page = Pick<PageRow, 'slug' | 'customDomain' | 'customDomainVerifiedAt'>;

/** How a proxy on the same network addresses us: by IP address or container name, unlike any custom domain. */
const INTERNAL_HOST = /^((\d+\.){3}\d+|\[[0-9a-f:.]+\]|[a-z0-9_-]+)$/;

/** The client address of a request; null if it cannot be determined. */
export function requestAddress(headers: Pick<Headers, 'get'>): string | null {
  const hop = { peer: headers.get(PEER_HEADER), forwardedFor: headers.get('x-forwarded-for') };
  return clientAddress(hop, getEnvironment().TRUSTED_PROXIES);
}

type Hop = { peer: string | null; forwardedFor: string | null };

/** The client address: the peer, or behind `trustedProxies` the last other hop in X-Forwarded-For; null if unknown. */
export function clientAddress({ peer, forwardedFor }: Hop, trustedProxies: readonly string[]): string | null {
  const hops = [...(forwardedFor?.split(',').map((hop) => hop.trim()) ?? []), peer ?? ''];
  let known: string | null = null;
  for (const hop of hops.reverse()) {
    const address = normalize(hop);
    if (address === null) return known;
    known = address;
    if (!isInRanges(address, trustedProxies)) return known;
  }
  return known;
}

/** Whether a peer is one of `trustedProxies` (addresses or CIDR ranges). */
export function isTrustedProxy(peer: string | undefined, trustedProxies: readonly string[]): boolean {
  const address = normalize(peer ?? '');
  return address !== null && isInRanges(address, trustedProxies);
}

/** The rate limit key of an address: itself for IPv4, its /64 for IPv6, since a household has a whole /64. */
export function countedAddress(address: string): string {
  const parsed = ipaddr.parse(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toString()}/64`;
}

function normalize(text: string): string | null {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : null;
}

type Headers = { get(name: string): string | null };

/** The base URL of the app, without a trailing slash: APP_URL, or else the host of the request. */
export function requestBaseUrl(
  headers: Headers,
  { APP_URL, PORT }: Pick<Environment, 'APP_URL' | 'PORT'> = getEnvironment(),
): string {
  if (APP_URL !== undefined) return APP_URL;
  return `${requestScheme(headers)}://${headers.get('host') ?? `localhost:${PORT}`}`;
}

/** Whether a page is requested on its own domain, according to our server. */
export function isPageHost({ headers }: { headers: Pick<Headers, 'get'> }): boolean {
  return headers.get(PAGE_HOST_HEADER) === '1';
}

/** Whether a request came over https, according to the proxy in front. */
export function requestScheme(headers: Headers): 'http' | 'https' {
  return headers.get('x-forwarded-proto') === 'https' ? 'https' : 'http';
}

/** Whether a `Host` is that of APP_URL or an internal one. Without APP_URL, any host may be the app's. */
export function isAppHost(host: string | null, appUrl: string | undefined): boolean {
  if (appUrl === undefined) return true;
  const name = (host ?? '').toLowerCase().replace(/:\d*$/, '');
  return name === new URL(appUrl).hostname || INTERNAL_HOST.test(name);
}

/** Whether APP_URL uses https; cookies are then marked secure. */
export function isSecureApp(): boolean {
  return getEnvironment().APP_URL?.startsWith('https:') ?? false;
}

/** The URL of a page, without a trailing slash: on its own domain if the visitor requested that, or else below the app's. */
export function readPageAddress(
  { headers }: Pick<Request, 'headers'>,
  page: Page,
  environment: Pick<Environment, 'APP_URL' | 'PORT'> = getEnvironment(),
): string {
  const host = headers.get('host') ?? '';
  const isOwnHost =
    isPageHost({ headers }) &&
    page.customDomainVerifiedAt !== null &&
    canonicalDomain(host.replace(/:\d*$/, '')) === page.customDomain;
  if (!isOwnHost) return `${requestBaseUrl(headers, environment)}/status/${page.slug}`;
  // Next assumes http unless a proxy header says otherwise.
  const isSecure = requestScheme(headers) === 'https' || environment.APP_URL?.startsWith('https:');
  return `${isSecure ? 'https' : 'http'}://${host}`;
}

type Request = { method: string; headers: Pick<Headers, 'get'> };

/**
 * Whether a request was made by a page of one of `origins`. Browsers send `Sec-Fetch-Site` or `Origin` with
 * every request that changes something; a client that sends neither is not a browser.
 */
export function isSameOrigin({ headers }: Pick<Request, 'headers'>, origins: readonly string[]): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none';
  const origin = headers.get('origin');
  return origin === null || origins.includes(origin.toLowerCase());
}

/** Rejects (FORBIDDEN) changes from another site's page. Route handlers that use the session cookie call this first. */
export function requireSameOrigin({ method, headers }: Request, origins: readonly string[]): void {
  if (method === 'GET' || method === 'HEAD' || isSameOrigin({ headers }, origins)) return;
  throw new DomainError('FORBIDDEN', 'This request comes from a page of another site.');
}

/**
 * Whether a raw request comes from loopback, under a local name (a foreign name would be DNS rebinding from a
 * web page), and not through a proxy. `names` are its header names.
 */
export function isLocalVisit(visit: { peer: string | null; host: string | null; names: string[] }): boolean {
  const { peer, host, names } = visit;
  return LOOPBACK.test(peer ?? '') && LOCAL_HOST.test(host ?? '') && !isForwarded(names);
}

/** Whether a raw request passed through a proxy. */
export function isForwarded(names: string[]): boolean {
  return names.some((name) => FORWARDED.test(name));
}
