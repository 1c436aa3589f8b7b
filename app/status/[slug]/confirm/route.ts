import { findSubscribablePage } from '@/lib/domain/subscribers/subscribe';
import { confirmSubscription, isConfirmable } from '@/lib/domain/subscribers/subscription';
import { countVisitor } from '@/lib/web/http/count-visitor';
import { type StepCall, subscriptionRoute } from '../../subscription-route';

export const dynamic = 'force-dynamic';

/** Asks once more: what looks into mails follows links, and presses no buttons. */
export const GET = subscriptionRoute('/confirm', async (call) => {
  const { page, asked } = await read(call);
  const isGood = await isConfirmable(call.services, asked);
  return isGood
    ? { page, screen: { shows: 'confirm' } }
    : { page, status: 404, screen: { shows: 'expired' } };
});

/** Confirms a subscription. */
export const POST = subscriptionRoute('/confirm', async (call) => {
  const { page, asked } = await read(call);
  const isGood = await confirmSubscription(call.services, asked);
  return isGood
    ? { page, screen: { shows: 'confirmed' } }
    : { page, status: 404, screen: { shows: 'expired' } };
});

async function read({ request, services, slug, query }: StepCall) {
  await countVisitor(request);
  const { page } = await findSubscribablePage(services, slug);
  return { page, asked: { pageId: page.id, token: query.get('token') ?? '' } };
}
