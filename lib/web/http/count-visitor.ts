import { REFRESH_HEADER } from '@/lib/platform/page-front/application';
import { countedAddress, requestAddress } from './address/request-address';
import { getWeb } from './server-services';

/** A limit of a visitor: of which requests, and how many a minute. */
export type VisitorLimit = { of: string; perMinute: number };

/** Plenty for a person, or a script that polls once a second. */
const VISITS: VisitorLimit = { of: 'visitor', perMinute: 300 };

/**
 * Counts a visitor's request by address, in the group `of`, and returns the rate limit headers. Not counted:
 * visitors without a known address, and requests of the shared cache itself. Throws `RateLimitedError`.
 */
export async function countVisitor(
  { headers }: Request,
  { of, perMinute }: VisitorLimit = VISITS,
): Promise<Record<string, string>> {
  if (headers.get(REFRESH_HEADER) !== null) return {};
  const address = requestAddress(headers);
  if (address === null) return {};
  return getWeb().rateLimiter.count(`${of} ${countedAddress(address)}`, perMinute);
}
