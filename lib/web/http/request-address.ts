import ipaddr from 'ipaddr.js';
import { DomainError } from '@/lib/core/errors';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { type Environment, getEnvironment } from '@/lib/env';
import { PAGE_HOST_HEADER } from '@/lib/platform/page-front/application';
import { canonicalDomain } from '@/lib/schemas/domain-name';

/** Set by our own server on every request to the address of the connection's other end; what a client sends is dropped. */
export const PEER_HEADER = 'x-pharos-peer';

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;

const FORWARDED = /^(forwarded|x-forwarded-|x-real-ip$|via$|cf-connecting-ip$|true-client-ip$)/i;

type Page = Pick<PageRow, 'slug' | 'customDomain' | 'customDomainVerifiedAt'>;

/** How a proxy beside us names us: by an address, or by a container's name. No custom domain looks like either. */
const NEIGHBOUR = /^((\d+\.){3}\d+|\[[0-9a-f:.]+\]|[a-z0-9_-]+)$/;

/** The address of who sent a request that our server took; null where it cannot be known. */
export function requestAddress(headers: Pick<Headers, 'get'>): string | null {
  const hop = { peer: headers.get(PEER_HEADER), forwardedFor: headers.get('x-forwarded-for') };
  return clientAddress(hop, getEnvironment().TRUSTED_PROXIES);
}

type Hop = { peer: string | null; forwardedFor: string | null };

/**
 * The address of who asks: the other end of the connection, or, where that is one of `trustedProxies` (addresses or CIDR
 * ranges), what it says in X-Forwarded-For, back to the first hop that is not trusted. Null where nobody knows.
 */
export function clientAddress({ peer, forwardedFor }: Hop, trustedProxies: readonly string[]): string | null {
  const hops = [...(forwardedFor?.split(',').map((hop) => hop.trim()) ?? []), peer ?? ''];
  let known: string | null = null;
  for (const hop of hops.reverse()) {
    const address = normalize(hop);
    if (address === null) return known;
    known = address;
    if (!isTrusted(address, trustedProxies)) return known;
  }
  return known;
}

/** Whether the other end of a connection is one of `trustedProxies` (addresses or CIDR ranges). */
export function isTrustedProxy(peer: string | undefined, trustedProxies: readonly string[]): boolean {
  const address = normalize(peer ?? '');
  return address !== null && isTrusted(address, trustedProxies);
}

/** What is counted for an address: itself for IPv4, its /64 for IPv6, for one household has a whole /64. */
export function countedAddress(address: string): string {
  const parsed = ipaddr.parse(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toString()}/64`;
}

function normalize(text: string): string | null {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : null;
}

function isTrusted(address: string, trustedProxies: readonly string[]): boolean {
  const parsed = ipaddr.parse(address);
  return trustedProxies.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(
      range.includes('/') ? range : `${range}/${range.includes(':') ? 128 : 32}`,
    );
    return network.kind() === parsed.kind() && parsed.match(network, bits);
  });
}

type Headers = { get(name: string): string | null };

/** The address under which the app is reached, without a slash at the end: APP_URL, else what the request came to. */
export function requestBaseUrl(
  headers: Headers,
  { APP_URL, PORT }: Pick<Environment, 'APP_URL' | 'PORT'> = getEnvironment(),
): string {
  if (APP_URL !== undefined) return APP_URL;
  return `${requestScheme(headers)}://${headers.get('host') ?? `localhost:${PORT}`}`;
}

/** Whether a request came over https, as far as somebody in front of us says. */
export function requestScheme(headers: Headers): 'http' | 'https' {
  return headers.get('x-forwarded-proto') === 'https' ? 'https' : 'http';
}

/**
 * Whether a `Host` is the app's own, as APP_URL says, or one that only a neighbour uses. Without APP_URL every host may be
 * the app's.
 */
export function isAppHost(host: string | null, appUrl: string | undefined): boolean {
  if (appUrl === undefined) return true;
  const name = (host ?? '').toLowerCase().replace(/:\d*$/, '');
  return name === new URL(appUrl).hostname || NEIGHBOUR.test(name);
}

/** Whether people reach the app over https, as APP_URL says; cookies are marked secure then. */
export function isSecureApp(): boolean {
  return getEnvironment().APP_URL?.startsWith('https:') ?? false;
}

/** The address of a page for who asks, without a slash at the end: its own domain where that was asked, else below the app's. */
export function readPageAddress(
  { headers }: Pick<Request, 'headers'>,
  page: Page,
  environment: Pick<Environment, 'APP_URL' | 'PORT'> = getEnvironment(),
): string {
  const host = headers.get('host') ?? '';
  const isOwnHost =
    headers.get(PAGE_HOST_HEADER) === '1' &&
    page.customDomainVerifiedAt !== null &&
    canonicalDomain(host.replace(/:\d*$/, '')) === page.customDomain;
  if (!isOwnHost) return `${requestBaseUrl(headers, environment)}/status/${page.slug}`;
  // Next says http of every request that nobody in front of it says more of.
  const isSecure = requestScheme(headers) === 'https' || environment.APP_URL?.startsWith('https:');
  return `${isSecure ? 'https' : 'http'}://${host}`;
}

type Request = { method: string; headers: Pick<Headers, 'get'> };

/**
 * Whether a request was made by one of the pages of `origins`. Browsers send `Sec-Fetch-Site` or `Origin` with every request
 * that changes something; what sends neither is no browser, and nobody's visitors.
 */
export function isSameOrigin({ headers }: Pick<Request, 'headers'>, origins: readonly string[]): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none';
  const origin = headers.get('origin');
  return origin === null || origins.includes(origin.toLowerCase());
}

/**
 * Refuses (FORBIDDEN) a request that changes something and that a page of another site made: a route handler that goes by
 * the session cookie begins with this. Next does the same for server actions.
 */
export function requireSameOrigin({ method, headers }: Request, origins: readonly string[]): void {
  if (method === 'GET' || method === 'HEAD' || isSameOrigin({ headers }, origins)) return;
  throw new DomainError('FORBIDDEN', 'This request comes from a page of another site.');
}

/**
 * Whether a request, as it comes from the wire, comes from loopback, under a local name (a foreign name would be DNS
 * rebinding from a web page), and through no proxy that says so. `names` are its header names.
 */
export function isLocalVisit(visit: { peer: string | null; host: string | null; names: string[] }): boolean {
  const { peer, host, names } = visit;
  return LOOPBACK.test(peer ?? '') && LOCAL_HOST.test(host ?? '') && !isForwarded(names);
}

/** Whether a request, as it comes from the wire, passed through a proxy. */
export function isForwarded(names: string[]): boolean {
  return names.some((name) => FORWARDED.test(name));
}
