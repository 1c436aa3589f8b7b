import type { Services } from '@/lib/domain/context/services';
import { getEnvironment } from '@/lib/env';
import type { StatusPage } from '@/lib/schemas/status-pages/status-page';

/** Whether visitors of a page can subscribe: email is on, and the page has an address for links in them. */
export function canSubscribe(
  { mail }: Pick<Services, 'mail'>,
  { customDomainVerified }: Pick<StatusPage, 'customDomainVerified'>,
): boolean {
  return mail.isOn && (customDomainVerified || getEnvironment().APP_URL !== undefined);
}
