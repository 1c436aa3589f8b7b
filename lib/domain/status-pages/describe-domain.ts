import type { StatusPage as Columns } from '@/lib/platform/db/generated/client';
import type { DomainStatus } from '@/lib/schemas/status-page';
import { domainRecord } from './domain-record';
import type { AppAddress } from './domain-settings';

type DomainColumns = Pick<
  Columns,
  | 'customDomain'
  | 'customDomainVerifiedAt'
  | 'domainToken'
  | 'domainSetback'
  | 'domainCheckedAt'
  | 'domainMissingSince'
  | 'domainError'
>;

/** What became of a page's domain and what its owner has to do, for the owner's eyes: it holds the token. */
export function describeDomain(row: DomainColumns, { appUrl }: AppAddress): DomainStatus {
  const { customDomain, customDomainVerifiedAt, domainSetback } = row;
  if (customDomain === null) {
    return { status: 'none', record: null, pointTo: null, checkedAt: null, verifiedAt: null, error: null };
  }
  const appHost = appUrl === undefined ? null : new URL(appUrl).hostname;
  return {
    status: customDomainVerifiedAt !== null ? 'verified' : (domainSetback ?? 'pending'),
    record: { ...domainRecord(customDomain, row.domainToken), type: 'TXT' },
    pointTo: appHost === null ? null : { name: customDomain, type: 'CNAME', value: appHost },
    checkedAt: row.domainCheckedAt?.toISOString() ?? null,
    verifiedAt: customDomainVerifiedAt?.toISOString() ?? null,
    error: describeTrouble(row),
  };
}

function describeTrouble(row: DomainColumns): string | null {
  const { domainError, domainMissingSince, domainSetback } = row;
  if (domainError === null) return null;
  if (domainMissingSince !== null) {
    const since = domainMissingSince.toISOString();
    return `${domainError} It is missing since ${since}; after 3 days the page is no longer served at this domain.`;
  }
  if (domainSetback !== 'lost') return domainError;
  return `${domainError} It was missing for 3 days: the page is not served at this domain until the record is back.`;
}
