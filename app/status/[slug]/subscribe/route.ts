import type { SubscriptionProblem } from '@/components/status-page/subscription/subscription-screen';
import { listRowGroups } from '@/lib/domain/subscribers/chosen-rows';
import { SUBSCRIBER_TARGETS } from '@/lib/domain/subscribers/endpoints/endpoint-target';
import { subscribeEndpoint } from '@/lib/domain/subscribers/endpoints/subscribe-endpoint';
import { findSubscribablePage, subscribe } from '@/lib/domain/subscribers/subscribe';
import { isHostAllowed } from '@/lib/platform/net/target-policy';
import { parseChosenRows, subscribeSchema } from '@/lib/schemas/status-pages/subscriber';
import {
  channelSchema,
  type EndpointChannel,
  endpointUrlSchemas,
} from '@/lib/schemas/status-pages/subscriber-channel';
import { isSameOrigin, readPageAddress } from '@/lib/web/http/address/request-address';
import { countVisitor } from '@/lib/web/http/count-visitor';
import { findRejection } from '@/lib/web/http/rate-limit';
import { readFormFields } from '@/lib/web/http/read-input';
import { subscriptionRoute } from '../../subscription-route';

export const dynamic = 'force-dynamic';

const NOTHING_TYPED = { email: '', channel: 'email', url: '' } as const;
const ATTEMPTS = { of: 'subscribe', perMinute: 10 };

/** Shows the form. */
export const GET = subscriptionRoute('/subscribe', async ({ request, services, slug, admit }) => {
  await countVisitor(request);
  const { page } = await findSubscribablePage(services, slug, admit);
  const groups = await listRowGroups(services, page);
  return { page, screen: { shows: 'form', ...NOTHING_TYPED, groups, rows: null, problem: null } };
});

/**
 * Sends a confirmation link to the address. Only the page's own form may do that, so that no other site can subscribe people.
 * The response does not reveal whether the address is subscribed.
 */
export const POST = subscriptionRoute('/subscribe', async ({ request, services, slug, language, admit }) => {
  await countVisitor(request);
  const found = await findSubscribablePage(services, slug, admit);
  const { page } = found;
  const fields = await readFormFields(request);
  const channel = channelSchema.parse(fields.get('channel') ?? 'email');
  const typed = { email: fields.get('email') ?? '', channel, url: fields.get('url') ?? '' };
  const groups = await listRowGroups(services, page);
  const known = new Set(groups.flatMap((group) => group.rows.map(({ id }) => id)));
  const { rows, problem: rowsProblem } = parseChosenRows(fields, { known, before: null });
  const refuse = (problem: SubscriptionProblem, status: number, headers?: Record<string, string>) => {
    const screen = { shows: 'form' as const, ...typed, groups, rows, problem };
    return { page, status, screen, ...(headers ? { headers } : {}) };
  };
  if (!isSameOrigin(request, [new URL(readPageAddress(request, page)).origin]))
    return refuse('otherSite', 403);
  const tooMany = await findRejection(countVisitor(request, ATTEMPTS));
  if (tooMany) return refuse('tooMany', 429, tooMany);
  const form = subscribeSchema.safeParse({ email: typed.email });
  if (!form.success) return refuse('wrong', 400);
  if (rowsProblem !== null) return refuse(rowsProblem, 400);
  const { email } = form.data;
  const wanted = { email, language, rows };
  const url = channel === 'email' ? null : parseEndpointUrl(channel, typed.url);
  if (channel !== 'email' && url === null)
    return refuse(channel === 'slack' ? 'wrongSlack' : 'wrongUrl', 400);
  const { isLimited } =
    channel === 'email' || url === null
      ? await subscribe(services, found, wanted)
      : await subscribeEndpoint(services, found, { ...wanted, channel, url });
  if (isLimited) return refuse('pageLimit', 429, { 'Retry-After': '3600' });
  return { page, screen: { shows: 'sent', email } };
});

/** The URL of an endpoint; null if it is not valid, or at an address that nobody else can reach. Names are checked when connecting. */
function parseEndpointUrl(channel: EndpointChannel, typed: string): string | null {
  const { data } = endpointUrlSchemas[channel].safeParse(typed);
  return data !== undefined && isHostAllowed(new URL(data).hostname, SUBSCRIBER_TARGETS) ? data : null;
}
