import { DomainError } from '@/lib/core/errors';
import { PLANS, type PlanId } from '@/lib/plans/catalogue';
import type { Transaction } from '@/lib/platform/db/client';
import type { AppAddress } from './domain-settings';

/**
 * Refuses a custom domain that the plan does not include (PLAN_LIMIT_EXCEEDED), the app's own and names below it
 * (VALIDATION_ERROR: they would share its cookies) and one that a page other than `pageId` was shown to own
 * (DOMAIN_TAKEN). `domain` is in the canonical form.
 */
export async function requireDomain(
  tx: Transaction,
  domain: string,
  { plan, appUrl, pageId }: AppAddress & { plan: PlanId; pageId: string },
): Promise<void> {
  requireDomainPlan(plan);
  if (appUrl !== undefined && isOwnDomain(domain, new URL(appUrl).hostname)) {
    throw new DomainError('VALIDATION_ERROR', 'The request is not valid: customDomain.', [
      { path: 'customDomain', code: 'invalid', message: 'is the address of this service itself' },
    ]);
  }
  const owners = { customDomain: domain, customDomainVerifiedAt: { not: null }, id: { not: pageId } };
  if ((await tx.statusPage.count({ where: owners })) > 0) throw domainTaken();
}

/** Refuses (PLAN_LIMIT_EXCEEDED) a plan without custom domains. */
export function requireDomainPlan(plan: PlanId): void {
  if (PLANS[plan].customDomain) return;
  throw new DomainError('PLAN_LIMIT_EXCEEDED', `The ${plan} plan does not include custom domains.`);
}

/** The refusal of a domain that another page has. */
export function domainTaken(): DomainError {
  return new DomainError('DOMAIN_TAKEN', 'Another status page has this domain.', [
    { path: 'customDomain', code: 'domain_taken', message: 'belongs to another status page' },
  ]);
}

function isOwnDomain(domain: string, appHost: string): boolean {
  return domain === appHost || domain.endsWith(`.${appHost}`);
}
