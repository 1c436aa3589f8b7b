import { notFound } from '@/lib/core/errors';
import { findSubscription, isUnsubscribeToken, unsubscribe } from '@/lib/domain/subscribers/subscription';
import { countVisitor } from '@/lib/web/http/count-visitor';
import { type StepCall, subscriptionRoute } from '../../subscription-route';

export const dynamic = 'force-dynamic';

/** Shows a confirmation button, because mail scanners follow links but press no buttons. */
export const GET = subscriptionRoute('/unsubscribe', async (call) => {
  const link = await readLink(call);
  const { page, isSubscribed } = await findSubscription(call.services, { id: link.id, slug: call.slug });
  return { page, screen: { shows: isSubscribed ? 'unsubscribe' : 'unsubscribed' } };
});

/** Ends a subscription: by the button, or with one click in a mail client (RFC 8058). */
export const POST = subscriptionRoute('/unsubscribe', async (call) => {
  const link = await readLink(call);
  const { page } = await findSubscription(call.services, { id: link.id, slug: call.slug });
  await unsubscribe(call.services, link.id);
  return { page, screen: { shows: 'unsubscribed' } };
});

async function readLink({ request, services, query }: StepCall) {
  await countVisitor(request);
  const link = { id: query.get('id') ?? '', token: query.get('token') ?? '' };
  if (!isUnsubscribeToken(services.keyring, link)) throw notFound('Status page');
  return link;
}
