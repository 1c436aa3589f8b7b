import { REFRESH_HEADER } from '@/lib/platform/page-front/application';
import { countedAddress, requestAddress } from './request-address';
import { getWeb } from './server-services';

/** Plenty for a person, or a script that polls once a second. */
const VISITS = { of: 'visitor', perMinute: 300 };

/**
 * Counts a request of a visitor, by address, among those `of` one kind, and answers the headers that tell what is left.
 * Not counted is who has no address (no peer is known), and what the shared cache asks for itself. Throws
 * `RateLimitedError`.
 */
export async function countVisitor(
  { headers }: Request,
  { of, perMinute }: { of: string; perMinute: number } = VISITS,
): Promise<Record<string, string>> {
  if (headers.get(REFRESH_HEADER) !== null) return {};
  const address = requestAddress(headers);
  if (address === null) return {};
  return getWeb().rateLimiter.count(`${of} ${countedAddress(address)}`, perMinute);
}
