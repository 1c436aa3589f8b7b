import type { Services } from '@/lib/domain/context/services';
import { type Finding, settleDomain } from '@/lib/domain/status-pages/domain-standing';
import type { DomainSettings } from '@/lib/domain/status-pages/page-row';
import { findDomainRecord } from '@/lib/domain/status-pages/verify-custom-domain';
import { PLANS, type PlanId } from '@/lib/plans/catalogue';
import { claimWork, doTimedWork, type TimedWork } from '@/lib/platform/db/claims';
import { Prisma } from '@/lib/platform/db/generated/client';

/** A custom domain whose record is due for verification. */
type DueDomain = { pageId: string; domain: string; token: string; isVerified: boolean; plan: PlanId };

const TIMEOUT_MS = 10_000;
const NOT_IN_PLAN: Finding = { kind: 'unclear', reason: 'The plan does not include custom domains.' };

export type DomainVerification = Pick<DomainSettings, 'needsProof' | 'dnsServers'> & {
  /** Starts nothing new and aborts what is running; unverified domains stay due. */
  signal?: AbortSignal;
};

const DOMAINS: TimedWork<DueDomain, Services & DomainVerification> = {
  table: 'status_page',
  where: () => Prisma.sql`custom_domain IS NOT NULL`,
  order: 'domain_next_check_at',
  // Longer than a whole batch can take; then another worker may verify.
  hold: { by: 'postponing', column: 'domain_next_check_at', ms: 15 * 60_000 },
  batch: 200,
  concurrency: 10,
  columns: {
    pageId: 'own.id',
    domain: 'custom_domain',
    token: 'domain_token',
    isVerified: 'custom_domain_verified_at IS NOT NULL',
    plan: 'organization.plan::text',
  },
  joins: Prisma.sql`JOIN organization ON organization.id = organization_id`,
  act: verifyDomain,
  failure: ({ pageId }) => `could not verify the domain of ${pageId}`,
};

/**
 * Verifies the custom domains that are due: a limited number, a few concurrently. Returns how many were due.
 * A plan without custom domains keeps serving those already verified, but verifies no more.
 */
export function verifyDueDomains(services: Services, settings: DomainVerification): Promise<number> {
  return doTimedWork({ ...services, ...settings }, DOMAINS);
}

/** Claims at most `limit` due domains, longest overdue first. Concurrent workers never claim the same one. */
export function claimDomains({ db, clock }: Services, limit: number): Promise<DueDomain[]> {
  return claimWork(db, DOMAINS, { limit, now: clock.now(), scope: undefined });
}

async function verifyDomain(
  { db, clock, signal, ...settings }: Services & DomainVerification,
  [{ pageId, domain, token, isVerified, plan }]: readonly [DueDomain, ...DueDomain[]],
): Promise<void> {
  if (signal?.aborted) return;
  const isIncluded = isVerified || PLANS[plan].customDomain;
  const finding = isIncluded
    ? await findDomainRecord({ domain, token }, settings, { timeoutMs: TIMEOUT_MS, signal })
    : NOT_IN_PLAN;
  if (signal?.aborted) return;
  await db.$transaction((tx) => settleDomain(tx, { pageId, domain }, finding, clock.now()));
}
