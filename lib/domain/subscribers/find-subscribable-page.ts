import type { Services } from '@/lib/domain/context/services';
import { findPublishedPage } from '@/lib/domain/status-pages/find-published-page';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { lastingAddress } from '@/lib/domain/status-pages/public-address';
import { statusPageNotFound } from '@/lib/domain/status-pages/read-status-pages';
import { isSlug } from '@/lib/schemas/status-page';

/** A page that people can subscribe to, and where the links in its mails lead, without a slash at the end. */
export type SubscribablePage = { page: PageRow; address: string };

/**
 * Finds a published page whose subscribers can be told by e-mail: where mail is on, and the service knows an address of
 * the page to put into mails (the one in a request's Host is anybody's word). Throws NOT_FOUND else.
 */
export async function findSubscribablePage(
  services: Pick<Services, 'db' | 'mail' | 'appUrl'>,
  slug: string,
): Promise<SubscribablePage> {
  if (!isSlug(slug)) throw statusPageNotFound();
  const page = await findPublishedPage(services.db, slug);
  const address = subscriptionAddress(services, page);
  if (address === null) throw statusPageNotFound();
  return { page, address };
}

/** Where the links in mails to subscribers of a page lead; null where nobody can subscribe. */
export function subscriptionAddress(
  { mail, appUrl }: Pick<Services, 'mail' | 'appUrl'>,
  page: Parameters<typeof lastingAddress>[0],
): string | null {
  return mail.isOn ? lastingAddress(page, appUrl) : null;
}
