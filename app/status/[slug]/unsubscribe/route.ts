import { findSubscription, unsubscribe } from '@/lib/domain/subscribers/subscription';
import { readLink, showSubscription } from '../../manage-subscription';
import { subscriptionRoute } from '../../subscription-route';

export const dynamic = 'force-dynamic';

/** Shows the subscription with a button that ends it, because mail scanners follow links but press no buttons. */
export const GET = subscriptionRoute('/unsubscribe', (call) => showSubscription(call));

/** Ends a subscription: by the button, or with one click in a mail client (RFC 8058). */
export const POST = subscriptionRoute('/unsubscribe', async (call) => {
  const link = await readLink(call);
  const { page } = await findSubscription(call.services, { id: link.id, slug: call.slug });
  await unsubscribe(call.services, link.id);
  return { page, screen: { shows: 'unsubscribed' } };
});
