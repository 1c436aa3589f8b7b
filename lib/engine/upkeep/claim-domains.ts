import type { Services } from '@/lib/domain/context/services';
import type { PlanId } from '@/lib/plans/catalogue';

/** A custom domain whose record is to be looked for. */
export type DueDomain = {
  pageId: string;
  domain: string;
  token: string;
  isVerified: boolean;
  plan: PlanId;
};

/** Longer than a whole batch can take; then another worker may look. */
const LEASE_MS = 15 * 60_000;

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
