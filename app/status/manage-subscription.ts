import { notFound } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { isOpen } from '@/lib/domain/status-pages/access/check-access';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { listRowGroups, type RowGroup } from '@/lib/domain/subscribers/chosen-rows';
import { findSubscription } from '@/lib/domain/subscribers/subscription';
import { isUnsubscribeToken } from '@/lib/domain/subscribers/unsubscribe-link';
import { countVisitor } from '@/lib/web/http/count-visitor';
import type { StepCall, StepResult } from './subscription-route';

type Managed = {
  /** The subscriber of the link. */
  id: string;
  /** Shown once. */
  secret?: string | null;
};

/** The subscription of the link in an email, which the subscriber can change and end; or that it has ended. */
export async function showSubscription(call: StepCall): Promise<StepResult> {
  return showManaged(call, await readLink(call));
}

/** The same for a link that was read before something was changed: nothing may refuse the request after that. */
export async function showManaged(
  { services, slug }: StepCall,
  { id, secret = null }: Managed,
): Promise<StepResult> {
  const { page, subscription } = await findSubscription(services, { id, slug });
  if (page === null || subscription === null) return { page, screen: { shows: 'unsubscribed' } };
  const groups = await listShownRows(services, page);
  const notice = subscription.isChoiceGone ? 'rowsGone' : null;
  return { page, screen: { shows: 'manage', ...subscription, groups, notice, secret } };
}

/** The subscriber that a link names. Throws NOT_FOUND for a wrong token, and RateLimitedError. */
export async function readLink({ request, services, query }: StepCall): Promise<{ id: string }> {
  await countVisitor(request);
  const link = { id: query.get('id') ?? '', token: query.get('token') ?? '' };
  if (!isUnsubscribeToken(services.keyring, link)) throw notFound('Status page');
  return link;
}

/** The rows that a subscriber can choose: none of a page that is not public, which a link in an email must not show. */
export async function listShownRows(services: Services, page: PageRow): Promise<RowGroup[]> {
  return isOpen(page) ? listRowGroups(services, page) : [];
}
