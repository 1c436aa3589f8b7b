import type { SubscriptionProblem } from '@/components/status-page/subscription/subscription-screen';
import { listRowGroups } from '@/lib/domain/subscribers/chosen-rows';
import { findSubscribablePage, subscribe } from '@/lib/domain/subscribers/subscribe';
import { parseChosenRows, subscribeSchema } from '@/lib/schemas/status-pages/subscriber';
import { isSameOrigin, readPageAddress } from '@/lib/web/http/address/request-address';
import { countVisitor } from '@/lib/web/http/count-visitor';
import { RateLimitedError } from '@/lib/web/http/rate-limit';
import { readFormFields } from '@/lib/web/http/read-input';
import { type StepCall, subscriptionRoute } from '../../subscription-route';

export const dynamic = 'force-dynamic';

const ATTEMPTS = { of: 'subscribe', perMinute: 10 };

/** Shows the form. */
export const GET = subscriptionRoute('/subscribe', async ({ request, services, slug, admit }) => {
  await countVisitor(request);
  const { page } = await findSubscribablePage(services, slug, admit);
  const groups = await listRowGroups(services, page);
  return { page, screen: { shows: 'form', email: '', groups, rows: null, problem: null } };
});

/**
 * Sends a confirmation link to the address. Only the page's own form may do that, so that no other site can subscribe people.
 * The response does not reveal whether the address is subscribed.
 */
export const POST = subscriptionRoute('/subscribe', async (call) => {
  const { request, services, slug, language, admit } = call;
  const found = await findSubscribablePage(services, slug, admit);
  const { page } = found;
  const fields = await readFormFields(request);
  const typed = fields.get('email') ?? '';
  const groups = await listRowGroups(services, page);
  const known = new Set(groups.flatMap((group) => group.rows.map(({ id }) => id)));
  const { rows, problem: rowsProblem } = parseChosenRows(fields, { known, before: null });
  const refuse = (problem: SubscriptionProblem, status: number, headers?: Record<string, string>) => {
    const screen = { shows: 'form' as const, email: typed, groups, rows, problem };
    return { page, status, screen, ...(headers ? { headers } : {}) };
  };
  if (!isSameOrigin(request, [new URL(readPageAddress(request, page)).origin]))
    return refuse('otherSite', 403);
  const tooMany = await countAttempt(call);
  if (tooMany) return refuse('tooMany', 429, tooMany);
  const form = subscribeSchema.safeParse({ email: typed });
  if (!form.success) return refuse('wrong', 400);
  if (rowsProblem !== null) return refuse(rowsProblem, 400);
  const { email } = form.data;
  const { isLimited } = await subscribe(services, found, { email, language, rows });
  if (isLimited) return refuse('pageLimit', 429, { 'Retry-After': '3600' });
  return { page, screen: { shows: 'sent', email } };
});

/** The headers of the rejection if a visitor makes too many attempts, else null. */
async function countAttempt({ request }: StepCall): Promise<Record<string, string> | null> {
  try {
    await countVisitor(request, ATTEMPTS);
    return null;
  } catch (error) {
    if (error instanceof RateLimitedError) return error.headers;
    throw error;
  }
}
