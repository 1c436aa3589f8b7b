import type { Services } from '@/lib/domain/context/services';
import type { Finding } from '@/lib/domain/status-pages/domain-standing';
import { settleDomain } from '@/lib/domain/status-pages/domain-standing';
import type { DomainSettings } from '@/lib/domain/status-pages/page-row';
import { findDomainRecord } from '@/lib/domain/status-pages/verify-custom-domain';
import { PLANS, type PlanId } from '@/lib/plans/catalogue';

/** A custom domain whose record is to be looked for. */
type DueDomain = {
  pageId: string;
  domain: string;
  token: string;
  isVerified: boolean;
  plan: PlanId;
};

/** Longer than a whole batch can take; then another worker may look. */
const LEASE_MS = 15 * 60_000;

const BATCH = 200;
const AT_ONCE = 10;
const TIMEOUT_MS = 10_000;

const NOT_IN_PLAN: Finding = { kind: 'unclear', reason: 'The plan does not include custom domains.' };

export type DomainVerification = Pick<DomainSettings, 'needsProof' | 'dnsServers'> & {
  /** Lets nothing new begin and gives up what runs; what was not looked at stays due later. */
  signal?: AbortSignal;
};

/**
 * Looks for the records of the custom domains that are due, a bounded number of them, few at once. Answers how many were
 * looked at. A plan without domains serves on those it has, and verifies no more.
 */
export async function verifyDueDomains(
  services: Services,
  { signal, ...settings }: DomainVerification,
): Promise<number> {
  const due = await claimDomains(services, BATCH);
  const verify = async ({ pageId, domain, token, isVerified, plan }: DueDomain) => {
    const isIncluded = isVerified || PLANS[plan].customDomain;
    const finding = isIncluded
      ? await findDomainRecord({ domain, token }, settings, { timeoutMs: TIMEOUT_MS, signal })
      : NOT_IN_PLAN;
    if (signal?.aborted) return;
    const now = services.clock.now();
    await services.db.$transaction((tx) => settleDomain(tx, { pageId, domain }, finding, now));
  };
  const queue = due.values();
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const domain of queue) {
      if (signal?.aborted) return;
      await verify(domain);
    }
  });
  await Promise.all(workers);
  return due.length;
}

/** Takes the domains that are due, longest overdue first, at most `limit`. Workers beside each other never take the same one. */
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
