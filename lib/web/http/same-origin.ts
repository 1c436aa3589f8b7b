import { DomainError } from '@/lib/core/errors';

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
