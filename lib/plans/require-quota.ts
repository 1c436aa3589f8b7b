import { DomainError } from '@/lib/core/errors';
import { isBuiltInRegionId, type RegionId } from '@/lib/schemas/regions';
import { PLANS, type PlanId, type PlanLimits } from './catalogue';

const NAMES = {
  monitors: 'monitors',
  statusPages: 'status pages',
  webhooks: 'webhook endpoints',
  members: 'members',
  ownRegions: 'own regions',
} satisfies { [Limit in keyof PlanLimits]?: string };

/** Throws PLAN_LIMIT_EXCEEDED if the quota of `what` is used up. Count under the organization's lock. */
export function requireQuota(plan: PlanId, what: keyof typeof NAMES, existing: number): void {
  const limit = PLANS[plan][what];
  if (limit === null || existing < limit) return;
  const message =
    limit === 0
      ? `The ${plan} plan does not include ${NAMES[what]}.`
      : `The ${plan} plan allows ${limit} ${NAMES[what]}, and all are in use.`;
  throw new DomainError('PLAN_LIMIT_EXCEEDED', message);
}

/** Throws PLAN_LIMIT_EXCEEDED for regions that the plan does not include. */
export function requireRegions(plan: PlanId, regions: readonly RegionId[]): void {
  const { regions: included, ownRegions } = PLANS[plan];
  const isIncluded = (region: RegionId) =>
    isBuiltInRegionId(region) ? included.includes(region) : ownRegions > 0;
  const refused = regions.filter((region) => !isIncluded(region));
  if (refused.length === 0) return;
  const allowed = included.join(', ');
  throw new DomainError(
    'PLAN_LIMIT_EXCEEDED',
    `The ${plan} plan does not include ${refused.join(', ')}. It includes ${allowed}.`,
  );
}
