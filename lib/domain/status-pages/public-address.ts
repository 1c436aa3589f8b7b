import type { StatusPage } from '@/lib/platform/db/generated/client';

type Page = Pick<StatusPage, 'slug' | 'customDomain' | 'customDomainVerifiedAt'>;

/**
 * Where the public reads a page, without a slash at the end, for links that nobody asked for right now: its own domain if
 * that was verified, else below APP_URL; null where the service does not know its own address.
 */
export function publicAddress(page: Page, appUrl: string | null): string | null {
  return domainAddress(page) ?? appAddress(page, appUrl);
}

/**
 * The same for links that have to work for years: below APP_URL where that is set, for a page can lose its domain.
 */
export function lastingAddress(page: Page, appUrl: string | null): string | null {
  return appAddress(page, appUrl) ?? domainAddress(page);
}

function appAddress({ slug }: Page, appUrl: string | null): string | null {
  return appUrl === null ? null : `${appUrl}/status/${slug}`;
}

function domainAddress({ customDomain, customDomainVerifiedAt }: Page): string | null {
  return customDomain === null || customDomainVerifiedAt === null ? null : `https://${customDomain}`;
}
