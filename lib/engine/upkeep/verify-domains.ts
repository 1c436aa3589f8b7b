import type { Services } from '@/lib/domain/context/services';
import type { DomainSettings } from '@/lib/domain/status-pages/domain-settings';
import type { Finding } from '@/lib/domain/status-pages/domain-standing';
import { findDomainRecord } from '@/lib/domain/status-pages/find-domain-record';
import { settleDomain } from '@/lib/domain/status-pages/settle-domain';
import { PLANS } from '@/lib/plans/catalogue';
import { claimDomains, type DueDomain } from './claim-domains';

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
