import { statusPageNotFound } from '@/lib/domain/status-pages/read-status-pages';
import { findSubscription, isUnsubscribeToken, unsubscribe } from '@/lib/domain/subscribers/subscription';
import { countVisitor } from '@/lib/web/http/count-visitor';
import { type StepCall, subscriptionRoute } from '../../subscription-route';

export const dynamic = 'force-dynamic';

/** Asks once more: what looks into mails follows links, and presses no buttons. */
export const GET = subscriptionRoute('/unsubscribe', async (call) => {
  const link = await readLink(call);
  const { page, isSubscribed } = await findSubscription(call.services, { id: link.id, slug: call.slug });
  return { page, screen: { shows: isSubscribed ? 'unsubscribe' : 'unsubscribed' } };
});

/** Ends a subscription at once: the button, and one click in a mail program (RFC 8058), whatever they send along. */
export const POST = subscriptionRoute('/unsubscribe', async (call) => {
  const link = await readLink(call);
  const { page } = await findSubscription(call.services, { id: link.id, slug: call.slug });
  await unsubscribe(call.services, link.id);
  return { page, screen: { shows: 'unsubscribed' } };
});

async function readLink({ request, services, query }: StepCall) {
  await countVisitor(request);
  const link = { id: query.get('id') ?? '', token: query.get('token') ?? '' };
  if (!isUnsubscribeToken(services.keyring, link)) throw statusPageNotFound();
  return link;
}
