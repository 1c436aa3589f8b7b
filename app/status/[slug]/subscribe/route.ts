import { countVisitor } from '@/lib/http/count-visitor';
import { RateLimitedError } from '@/lib/http/rate-limit';
import { readForm } from '@/lib/http/read-form';
import { subscribeSchema } from '@/lib/schemas/subscriber';
import { findSubscribablePage } from '@/lib/subscribers/find-subscribable-page';
import { subscribe } from '@/lib/subscribers/subscribe';
import { type StepCall, subscriptionRoute } from '../../subscription-route';

export const dynamic = 'force-dynamic';

const TRIES = { of: 'subscribe', perMinute: 10 };

/** The form. */
export const GET = subscriptionRoute('/subscribe', async ({ request, services, slug }) => {
  await countVisitor(request);
  const { page } = await findSubscribablePage(services, slug);
  return { page, screen: { shows: 'form', email: '', problem: null } };
});

/** Asks the address for confirmation; what is answered does not tell whether it is subscribed. */
export const POST = subscriptionRoute('/subscribe', async (call) => {
  const { request, services, slug, language } = call;
  const found = await findSubscribablePage(services, slug);
  const { page } = found;
  const { email: typed = '' } = await readForm(request);
  const tooMany = await countTry(call);
  if (tooMany) {
    return {
      page,
      status: 429,
      headers: tooMany,
      screen: { shows: 'form', email: typed, problem: 'tooMany' },
    };
  }
  const form = subscribeSchema.safeParse({ email: typed });
  if (!form.success) {
    return { page, status: 400, screen: { shows: 'form', email: typed, problem: 'wrong' } };
  }
  const { email } = form.data;
  await subscribe(services, found, { email, language });
  return { page, screen: { shows: 'sent', email } };
});

/** The headers of a refusal where an address tries too often. */
async function countTry({ request }: StepCall): Promise<Record<string, string> | null> {
  try {
    await countVisitor(request, TRIES);
    return null;
  } catch (error) {
    if (error instanceof RateLimitedError) return error.headers;
    throw error;
  }
}
