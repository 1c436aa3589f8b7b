import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { canonicalDomain, isDomain } from '@/lib/schemas/domain-name';
import { RateLimitedError } from './rate-limit';

/** Anyone can trigger this with arbitrary names: known domains are served from memory, and lookups are limited. */
const KNOWN_FOR_MS = 10_000;
const MAX_KNOWN = 10_000;
const LOOKUPS_PER_SECOND = 100;

/** Whether a proxy in front may get a certificate for a host. Throws `RateLimitedError` for too many unknown ones. */
export type TlsPermission = (host: string) => Promise<boolean>;

/** `isServed` looks up a domain; `appHost` is always allowed. */
export function createTlsPermission({
  appHost,
  isServed,
}: {
  appHost: string | null;
  isServed: (domain: string) => Promise<boolean>;
}): TlsPermission {
  const known = new LRUCache<string, boolean>({ max: MAX_KNOWN, ttl: KNOWN_FOR_MS });
  const limiter = new RateLimiterMemory({ points: LOOKUPS_PER_SECOND, duration: 1 });
  return async (host) => {
    const domain = canonicalDomain(host);
    if (domain === appHost) return true;
    if (!isDomain(domain)) return false;
    const cached = known.get(domain);
    if (cached !== undefined) return cached;
    await limiter.consume('lookups').catch(throwLimited);
    const isAllowed = await isServed(domain);
    known.set(domain, isAllowed);
    return isAllowed;
  };
}

function throwLimited(outcome: unknown): never {
  if (!(outcome instanceof RateLimiterRes)) throw outcome;
  throw new RateLimitedError({ 'Retry-After': '1' });
}
