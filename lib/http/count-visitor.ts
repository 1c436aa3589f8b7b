import { countedAddress } from './client-address';
import { requestAddress } from './request-address';
import { getWeb } from './server-services';

/** Plenty for a person, or a script that polls once a second. */
const VISITOR_REQUESTS_PER_MINUTE = 300;

/**
 * Counts a request of a visitor, by address; who has none (no peer is known) is not counted. Answers the headers that tell
 * how much is left; throws `RateLimitedError` when nothing is.
 */
export async function countVisitor(request: Request): Promise<Record<string, string>> {
  const address = requestAddress(request.headers);
  if (address === null) return {};
  return getWeb().rateLimiter.count(`visitor ${countedAddress(address)}`, VISITOR_REQUESTS_PER_MINUTE);
}
