import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { canonicalDomain, isDomain } from '@/lib/schemas/domain-name';
import { RateLimitedError } from './rate-limit';

/** Anybody who opens TLS connections with made-up names asks: what is known is answered from memory, and the rest is bounded. */
const KNOWN_FOR_MS = 10_000;
const MAX_KNOWN = 10_000;
const LOOKUPS_PER_SECOND = 100;

/** Whether a proxy in front may get a certificate for a host; throws `RateLimitedError` when too many unknown ones are asked for. */
export type TlsQuestion = (host: string) => Promise<boolean>;

/** `isServed` looks a domain up; `appHost` is allowed without. */
export function createTlsQuestion({
  appHost,
  isServed,
}: {
  appHost: string | null;
  isServed: (domain: string) => Promise<boolean>;
}): TlsQuestion {
  const known = new LRUCache<string, boolean>({ max: MAX_KNOWN, ttl: KNOWN_FOR_MS });
  const limiter = new RateLimiterMemory({ points: LOOKUPS_PER_SECOND, duration: 1 });
  return async (host) => {
    const domain = canonicalDomain(host);
    if (domain === appHost) return true;
    if (!isDomain(domain)) return false;
    const answer = known.get(domain);
    if (answer !== undefined) return answer;
    await limiter.consume('lookups').catch(refuse);
    const isAllowed = await isServed(domain);
    known.set(domain, isAllowed);
    return isAllowed;
  };
}

function refuse(outcome: unknown): never {
  if (!(outcome instanceof RateLimiterRes)) throw outcome;
  throw new RateLimitedError({ 'Retry-After': '1' });
}
