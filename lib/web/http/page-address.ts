import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { type Environment, getEnvironment } from '@/lib/env';
import { canonicalDomain } from '@/lib/schemas/domain-name';
import { requestBaseUrl, requestScheme } from './request-base-url';

/** Set to `1` by our own server on requests to a custom domain, which it sends on to `/status/<slug>`. */
export const PAGE_HOST_HEADER = 'x-pharos-page-host';

type Page = Pick<PageRow, 'slug' | 'customDomain' | 'customDomainVerifiedAt'>;

/** The address of a page for who asks, without a slash at the end: its own domain where that was asked, else below the app's. */
export function readPageAddress(
  { headers }: Pick<Request, 'headers'>,
  page: Page,
  environment: Pick<Environment, 'APP_URL' | 'PORT'> = getEnvironment(),
): string {
  const host = headers.get('host') ?? '';
  const isOwnHost =
    headers.get(PAGE_HOST_HEADER) === '1' &&
    page.customDomainVerifiedAt !== null &&
    canonicalDomain(host.replace(/:\d*$/, '')) === page.customDomain;
  if (!isOwnHost) return `${requestBaseUrl(headers, environment)}/status/${page.slug}`;
  // Next says http of every request that nobody in front of it says more of.
  const isSecure = requestScheme(headers) === 'https' || environment.APP_URL?.startsWith('https:');
  return `${isSecure ? 'https' : 'http'}://${host}`;
}
