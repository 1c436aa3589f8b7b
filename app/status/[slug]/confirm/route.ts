import { findSubscribablePage } from '@/lib/domain/subscribers/subscribe';
import { confirmSubscription, isConfirmable } from '@/lib/domain/subscribers/subscription';
import { countVisitor } from '@/lib/web/http/count-visitor';
import { type StepCall, subscriptionRoute } from '../../subscription-route';

export const dynamic = 'force-dynamic';

/** Shows a confirmation button, because mail scanners follow links but press no buttons. */
export const GET = subscriptionRoute('/confirm', async (call) => {
  const { page, request } = await read(call);
  const isValid = await isConfirmable(call.services, request);
  return isValid
    ? { page, screen: { shows: 'confirm' } }
    : { page, status: 404, screen: { shows: 'expired' } };
});

/** Confirms a subscription. */
export const POST = subscriptionRoute('/confirm', async (call) => {
  const { page, request } = await read(call);
  const isConfirmed = await confirmSubscription(call.services, request);
  return isConfirmed
    ? { page, screen: { shows: 'confirmed' } }
    : { page, status: 404, screen: { shows: 'expired' } };
});

async function read({ request, services, slug, query, admit }: StepCall) {
  await countVisitor(request);
  const { page } = await findSubscribablePage(services, slug, admit);
  return { page, request: { pageId: page.id, token: query.get('token') ?? '' } };
}
