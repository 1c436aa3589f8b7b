import 'server-only';
import { readVisitor } from '../dashboard-session';
import { countAddress, type VisitorLimit } from '../rate-limit';
import { getWeb } from '../server-services';

/** Plenty for an office behind one address, where everyone signs in with a password and a code. */
const FORMS: VisitorLimit = { of: 'sign-in form', perMinute: 120 };

/**
 * Admits a visitor to a server action of the pages without a session, before anything of its input is read. Counts the request by address,
 * also if it is refused. Throws `RateLimitedError`.
 */
export async function admitVisitor(): Promise<void> {
  const { address } = await readVisitor();
  await countAddress(getWeb().rateLimiter, address, FORMS);
}
