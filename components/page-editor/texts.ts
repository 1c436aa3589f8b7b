import type { PageStanding } from '@/lib/domain/status-pages/read-page-standings';
import type { StatusPage } from '@/lib/schemas/status-page';

export const STANDING_WORDS: Record<PageStanding, string> = {
  operational: 'Operational',
  degraded: 'Degraded',
  down: 'Down',
  pending: 'Not checked yet',
  noData: 'No current data',
  paused: 'Paused',
  empty: 'No monitors',
};

export const DOMAIN_WORDS: Record<StatusPage['customDomainStatus']['status'], string> = {
  none: 'None',
  pending: 'Waiting for DNS',
  verified: 'Verified',
  lost: 'Lost',
  taken: 'Taken',
};

/** Where visitors read a page: its own domain once that is verified, else below the service's address. */
export function addressOf(page: StatusPage, baseUrl: string): string {
  const { customDomain, customDomainVerified, slug } = page;
  const hasDomain = customDomain !== null && customDomainVerified;
  return hasDomain ? `https://${customDomain}` : `${baseUrl}/status/${slug}`;
}
