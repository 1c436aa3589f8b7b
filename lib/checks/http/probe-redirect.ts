import { parseUrl } from '@/lib/core/parse-url';
import type { GuardedResponse } from '@/lib/platform/net/http-request';
import { isSecretHeader } from './probe-headers';

export type Hop = {
  url: string;
  method: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string | null;
};

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
/** Headers sent to other hosts: none of them holds a secret, and a body means nothing without those about it. */
const HARMLESS_HEADERS = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-type',
  'pragma',
  'user-agent',
]);

/**
 * The redirect location of a response; null if it is not a redirect. Non-ASCII bytes, which are invalid
 * there, are percent-encoded unchanged: they are usually UTF-8, and the server will recognize them.
 */
export function redirectLocation(response: Pick<GuardedResponse, 'statusCode' | 'headers'>): string | null {
  if (!REDIRECT_STATUSES.has(response.statusCode)) return null;
  const { location = '' } = response.headers;
  const escaped = location.replace(
    /[\x80-\xff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return escaped || null;
}

/**
 * The request that follows a redirect, as a browser would send it: 303, and POST on 301 and 302, become GET without a body. On the same
 * origin, and on https of the same host, all headers stay; on another port of the host, all but credentials; elsewhere only harmless ones,
 * with those that a body needs. Credentials in the location are dropped. Null when the location is not an http(s) URL.
 */
export function followRedirect(hop: Hop, statusCode: number, location: string): Hop | null {
  const from = new URL(hop.url);
  const to = parseUrl(location, from);
  if (to === null) return null;
  if (to.protocol !== 'http:' && to.protocol !== 'https:') return null;
  to.username = '';
  to.password = '';
  to.hash = '';

  const becomesGet =
    (statusCode === 303 && hop.method !== 'HEAD') || (statusCode <= 302 && hop.method === 'POST');
  const mayCross = chooseHeaders(from, to);
  const headers = Object.entries(hop.headers).filter(
    ([name]) => mayCross(name) && !(becomesGet && name.startsWith('content-')),
  );
  return {
    url: to.href,
    method: becomesGet ? 'GET' : hop.method,
    headers: Object.fromEntries(headers),
    body: becomesGet ? null : hop.body,
  };
}

/** Which headers follow a redirect. */
function chooseHeaders(from: URL, to: URL): (name: string) => boolean {
  const isHarmless = (name: string) => HARMLESS_HEADERS.has(name);
  if (to.hostname !== from.hostname) return isHarmless;
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:';
  if (to.origin === from.origin || isUpgrade) return () => true;
  // From https to http, whatever is sent can be read on the way.
  return to.protocol === from.protocol ? (name) => !isSecretHeader(name) : isHarmless;
}

/**
 * What the last request of a check lacks of the first one, or took to another host, for the message of a failure; null if nothing.
 * `hasLostCredentials`: it also lacks credentials that are in no header of the first one.
 */
export function formatLosses(first: Hop, last: Hop, hasLostCredentials = false): string | null {
  const isElsewhere = new URL(first.url).hostname !== new URL(last.url).hostname;
  const lost = Object.keys(first.headers).filter(
    (name) => !(name in last.headers) && !(last.body === null && name.startsWith('content-')),
  );
  if (hasLostCredentials && lost.length === 0) lost.push('authorization');
  const parts: string[] = [];
  if (first.body && last.body === null) parts.push('the body was not sent');
  if (isElsewhere && last.body) {
    parts.push(`the body was sent${'content-type' in last.headers ? ' with its Content-Type' : ''}`);
  }
  const kinds = [lost.some(isSecretHeader) && 'credentials', !lost.every(isSecretHeader) && 'custom headers'];
  if (lost.length > 0) parts.push(`${kinds.filter(Boolean).join(' and ')} were not sent`);
  if (parts.length === 0) return null;
  return `redirected${isElsewhere ? ' to another host' : ''}: ${parts.join(', ')}`;
}
