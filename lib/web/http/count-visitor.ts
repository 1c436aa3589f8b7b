import { REFRESH_HEADER } from '@/lib/platform/page-front/application';
import { requestAddress } from './address/request-address';
import { countAddress, VISITS, type VisitorLimit } from './rate-limit';
import { getWeb } from './server-services';

/**
 * Counts a visitor's request by address, in the group `of`, and returns the rate limit headers. Not counted: visitors without a known
 * address, and requests that our server has counted. Throws `RateLimitedError`.
 */
export async function countVisitor(
  { headers }: Request,
  limit: VisitorLimit = VISITS,
): Promise<Record<string, string>> {
  if (headers.get(REFRESH_HEADER) !== null) return {};
  return countAddress(getWeb().rateLimiter, requestAddress(headers), limit);
}
