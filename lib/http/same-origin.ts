import { DomainError } from '@/lib/core/errors';

type Request = { method: string; headers: Pick<Headers, 'get'> };

/**
 * Refuses (FORBIDDEN) a request that changes something and that a page of another site made: a route handler that goes by
 * the session cookie begins with this. Next does the same for server actions. Browsers send `Sec-Fetch-Site` or `Origin`
 * with every such request; what sends neither is no browser, and has no cookie but its own.
 */
export function requireSameOrigin({ method, headers }: Request, origins: readonly string[]): void {
  if (method === 'GET' || method === 'HEAD') return;
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  const isOurs =
    site !== null
      ? site === 'same-origin' || site === 'none'
      : origin === null || origins.includes(origin.toLowerCase());
  if (!isOurs) throw new DomainError('FORBIDDEN', 'This request comes from a page of another site.');
}
