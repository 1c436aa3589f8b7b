import pMap from 'p-map';
import type { Services } from '@/lib/domain/context/services';
import { type Finding, settleDomain } from '@/lib/domain/status-pages/domain-standing';
import type { DomainSettings } from '@/lib/domain/status-pages/page-row';
import { findDomainRecord } from '@/lib/domain/status-pages/verify-custom-domain';
import { PLANS, type PlanId } from '@/lib/plans/catalogue';

/** A custom domain whose record is due for verification. */
type DueDomain = { pageId: string; domain: string; token: string; isVerified: boolean; plan: PlanId };

/** Longer than a whole batch can take; then another worker may verify. */
const LEASE_MS = 15 * 60_000;
const BATCH = 200;
const CONCURRENCY = 10;
const TIMEOUT_MS = 10_000;
const NOT_IN_PLAN: Finding = { kind: 'unclear', reason: 'The plan does not include custom domains.' };

export type DomainVerification = Pick<DomainSettings, 'needsProof' | 'dnsServers'> & {
  /** Starts nothing new and aborts what is running; unverified domains stay due. */
  signal?: AbortSignal;
};

/**
 * Verifies the custom domains that are due: a limited number, a few concurrently. Returns how many were due.
 * A plan without custom domains keeps serving those already verified, but verifies no more.
 */
export async function verifyDueDomains(
  services: Services,
  { signal, ...settings }: DomainVerification,
): Promise<number> {
  const due = await claimDomains(services, BATCH);
  const verify = async ({ pageId, domain, token, isVerified, plan }: DueDomain) => {
    if (signal?.aborted) return;
    const isIncluded = isVerified || PLANS[plan].customDomain;
    const finding = isIncluded
      ? await findDomainRecord({ domain, token }, settings, { timeoutMs: TIMEOUT_MS, signal })
      : NOT_IN_PLAN;
    if (signal?.aborted) return;
    const now = services.clock.now();
    await services.db.$transaction((tx) => settleDomain(tx, { pageId, domain }, finding, now));
  };
  await pMap(due, verify, { concurrency: CONCURRENCY, stopOnError: false });
  return due.length;
}

/** Claims at most `limit` due domains, longest overdue first. Concurrent workers never claim the same one. */
export function claimDomains({ db, clock }: Services, limit: number): Promise<DueDomain[]> {
  const now = clock.now();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  return db.$queryRaw<DueDomain[]>`
    WITH due AS (
      SELECT id FROM status_page
       WHERE domain_next_check_at <= ${now} AND custom_domain IS NOT NULL
       ORDER BY domain_next_check_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE status_page AS page SET domain_next_check_at = ${leaseUntil}
      FROM due JOIN status_page AS own USING (id) JOIN organization ON organization.id = own.organization_id
     WHERE page.id = due.id
    RETURNING page.id AS "pageId", page.custom_domain AS domain, page.domain_token AS token,
              page.custom_domain_verified_at IS NOT NULL AS "isVerified", organization.plan::text AS plan`;
}
