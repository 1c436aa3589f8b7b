import { isMember } from '@/lib/domain/status-pages/access/check-access';
import { openTicket, sealTicket } from '@/lib/domain/status-pages/access/passes';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { publicAddress } from '@/lib/domain/status-pages/public-address';
import { pathOn } from '@/lib/web/http/page-access/page-paths';
import { NotAdmittedError, readSessionId } from '@/lib/web/http/page-access/visit';
import { findRejection } from '@/lib/web/http/rate-limit';
import { getWeb } from '@/lib/web/http/server-services';
import { admitWithPass } from './admit-with-pass';
import { redirect } from './refusal';

/**
 * Sends a member who is signed in on the app's host to the domain of the page, with a ticket for it; to the page itself if it has none.
 * Throws `NotAdmittedError` for everyone else.
 */
export async function issueTicket(request: Request, page: PageRow, to: string): Promise<Response> {
  const { visitorServices: services } = getWeb();
  const sessionId = await readSessionId(request);
  const member = sessionId === null ? null : await isMember(services, page, sessionId);
  if (sessionId === null || member === null) throw new NotAdmittedError(page, 'askSignIn');
  if (!member) throw new NotAdmittedError(page, 'hide');
  const address = publicAddress(page, null);
  if (address === null) return redirect(pathOn(request, page, to));
  const ticket = sealTicket(services.keyring, page, { sessionId, now: services.clock.now() });
  return redirect(`${address}/access?${new URLSearchParams({ ticket, ...(to === '' ? {} : { to }) })}`);
}

/** Exchanges a ticket for a pass on the domain of the page, once. Throws `NotAdmittedError` if it is not valid, or was used before. */
export async function redeemTicket(
  request: Request,
  page: PageRow,
  { ticket, to }: { ticket: string; to: string },
): Promise<Response> {
  const { visitorServices: services } = getWeb();
  const now = services.clock.now();
  const opened = openTicket(services.keyring, page, { ticket, now });
  if (opened === null || !(await isFirstUse(opened.id))) throw new NotAdmittedError(page, 'askSignIn');
  const { sessionId } = opened;
  if ((await isMember(services, page, sessionId)) !== true) throw new NotAdmittedError(page, 'hide');
  // The session usually ends before the pass, and the pass with it.
  return admitWithPass(request, page, { sessionId, to });
}

/** Whether a ticket is used for the first time: it is valid for no longer than the minute that the limiter counts. */
async function isFirstUse(id: string): Promise<boolean> {
  return (await findRejection(getWeb().rateLimiter.count(`page-ticket ${id}`, 1))) === null;
}
