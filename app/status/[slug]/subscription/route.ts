import {
  restartEndpoint,
  rotateEndpointSecret,
} from '@/lib/domain/subscribers/endpoints/endpoint-subscription';
import { changeSubscription, findSubscription } from '@/lib/domain/subscribers/subscription';
import { isLanguage } from '@/lib/schemas/language';
import { parseChosenRows } from '@/lib/schemas/status-pages/subscriber';
import { readFormFields } from '@/lib/web/http/read-input';
import { listShownRows, readLink, showManaged, showSubscription } from '../../manage-subscription';
import { subscriptionRoute } from '../../subscription-route';

export const dynamic = 'force-dynamic';

/** Shows the subscription of the link: what its emails are about, and their language. */
export const GET = subscriptionRoute('/subscription', showSubscription);

/** Changes the subscription, rotates the secret of a webhook or starts it again. The token in the link is what no other site knows. */
export const POST = subscriptionRoute('/subscription', async (call) => {
  const { services, slug, request } = call;
  const { id } = await readLink(call);
  const form = await readFormFields(request);
  const act = form.get('act');
  if (act === 'rotate') {
    return showManaged(call, { id, secret: await rotateEndpointSecret(services, id) });
  }
  if (act === 'restart') {
    await restartEndpoint(services, id);
    return showManaged(call, { id });
  }
  const { page, subscription } = await findSubscription(services, { id, slug });
  if (subscription === null || page === null) return { page, screen: { shows: 'unsubscribed' } };
  const groups = await listShownRows(services, page);
  const known = new Set(groups.flatMap(({ rows }) => rows.map((row) => row.id)));
  const { rows, problem } = parseChosenRows(form, { known, before: subscription.rows });
  const typed = form.get('language') ?? '';
  const language = isLanguage(typed) ? typed : subscription.language;
  const shown = { ...subscription, groups, rows, language, secret: null };
  if (problem !== null) {
    return { page, status: 400, screen: { shows: 'manage', ...shown, notice: problem } };
  }
  await changeSubscription(services, id, { rows, language });
  return { page, screen: { shows: 'manage', ...shown, notice: 'saved' } };
});
