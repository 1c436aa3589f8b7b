import type { GuardedResponse } from '@/lib/platform/net/http-request';

export type Hop = {
  url: string;
  method: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string | null;
};

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
/** Headers kept across origins: none of them can hold a secret. */
const SAFE_HEADERS = new Set(['user-agent', 'accept']);

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
 * The request that follows a redirect, as a browser would send it: 303, and POST on 301 and 302, become GET
 * without a body; custom headers do not cross origins (https to http is another origin). Credentials in the
 * location are dropped. Null when the location is not an http(s) URL.
 */
export function followRedirect(hop: Hop, statusCode: number, location: string): Hop | null {
  if (!URL.canParse(location, hop.url)) return null;
  const from = new URL(hop.url);
  const to = new URL(location, from);
  if (to.protocol !== 'http:' && to.protocol !== 'https:') return null;
  to.username = '';
  to.password = '';
  to.hash = '';

  const becomesGet =
    (statusCode === 303 && hop.method !== 'HEAD') || (statusCode <= 302 && hop.method === 'POST');
  const headers = Object.entries(hop.headers).filter(
    ([name]) =>
      (to.origin === from.origin || SAFE_HEADERS.has(name)) && !(becomesGet && name.startsWith('content-')),
  );
  return {
    url: to.href,
    method: becomesGet ? 'GET' : hop.method,
    headers: Object.fromEntries(headers),
    body: becomesGet ? null : hop.body,
  };
}
