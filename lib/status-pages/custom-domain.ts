import { DomainError } from '@/lib/core/errors';
import type { Transaction } from '@/lib/db/client';
import { PLANS, type PlanId } from '@/lib/plans/catalogue';

/** What verbs on pages have to know of the installation: the app's own address, undefined where it is not set. */
export type AppAddress = { appUrl: string | undefined };

/**
 * Refuses a custom domain that the plan does not include (PLAN_LIMIT_EXCEEDED), the app's own (VALIDATION_ERROR) and one
 * that a page other than `pageId` was shown to own (DOMAIN_TAKEN).
 */
export async function requireDomain(
  tx: Transaction,
  domain: string,
  { plan, appUrl, pageId }: AppAddress & { plan: PlanId; pageId: string },
): Promise<void> {
  if (!PLANS[plan].customDomain) {
    throw new DomainError('PLAN_LIMIT_EXCEEDED', `The ${plan} plan does not include custom domains.`);
  }
  if (appUrl !== undefined && new URL(appUrl).hostname === domain) {
    throw new DomainError('VALIDATION_ERROR', 'The request is not valid: customDomain.', [
      { path: 'customDomain', code: 'invalid', message: 'is the address of this service itself' },
    ]);
  }
  const owners = { customDomain: domain, customDomainVerifiedAt: { not: null }, id: { not: pageId } };
  if ((await tx.statusPage.count({ where: owners })) > 0) {
    throw new DomainError('DOMAIN_TAKEN', 'Another status page has this domain.', [
      { path: 'customDomain', code: 'domain_taken', message: 'belongs to another status page' },
    ]);
  }
}
