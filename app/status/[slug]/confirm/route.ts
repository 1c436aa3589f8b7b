import { findSubscribablePage } from '@/lib/domain/subscribers/subscribe';
import { confirmSubscription, findConfirmable } from '@/lib/domain/subscribers/subscription';
import { countVisitor } from '@/lib/web/http/count-visitor';
import { type StepCall, subscriptionRoute } from '../../subscription-route';

export const dynamic = 'force-dynamic';

/** Shows a confirmation button, because mail scanners follow links but press no buttons. */
export const GET = subscriptionRoute('/confirm', async (call) => {
  const { page, request } = await read(call);
  const found = await findConfirmable(call.services, request);
  return found
    ? { page, screen: { shows: 'confirm', host: found.host } }
    : { page, status: 404, screen: { shows: 'expired' } };
});

/** Confirms a subscription. Shows the signing secret of a webhook, this once. */
export const POST = subscriptionRoute('/confirm', async (call) => {
  const { page, request } = await read(call);
  const confirmed = await confirmSubscription(call.services, request);
  if (confirmed === 'full') return { page, status: 409, screen: { shows: 'full' } };
  return confirmed
    ? { page, screen: { shows: 'confirmed', endpoint: confirmed.endpoint } }
    : { page, status: 404, screen: { shows: 'expired' } };
});

async function read({ request, services, slug, query, admit }: StepCall) {
  await countVisitor(request);
  const { page } = await findSubscribablePage(services, slug, admit);
  return { page, request: { pageId: page.id, token: query.get('token') ?? '' } };
}
