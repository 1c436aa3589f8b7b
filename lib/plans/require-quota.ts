import { isBuiltInRegionId, type RegionId } from '@/lib/schemas/regions';
import { hasLimits, PLANS, type PlanId, type PlanLimits } from './catalogue';
import { planLimit } from './plan-limit';

const NAMES = {
  monitors: 'monitors',
  statusPages: 'status pages',
  webhooks: 'webhook endpoints',
  emailRecipients: 'email recipients',
  members: 'members',
  ownRegions: 'own regions',
} satisfies { [Limit in keyof PlanLimits]?: string };

/** Throws PLAN_LIMIT_EXCEEDED if the quota of `what` is used up. Count under the organization's lock. */
export function requireQuota(plan: PlanId, what: keyof typeof NAMES, existing: number): void {
  const limit = PLANS[plan][what];
  if (limit === null || existing < limit) return;
  throw planLimit(formatLimit(plan, NAMES[what], limit), (limits) => (limits[what] ?? Infinity) > existing);
}

function formatLimit(plan: PlanId, name: string, limit: number): string {
  if (limit === 0) return `The ${plan} plan does not include ${name}.`;
  if (hasLimits(plan)) return `The ${plan} plan allows ${limit} ${name}, and all are in use.`;
  return `An organization can have ${limit} ${name}, and all are in use. Delete one first.`;
}

/** Throws PLAN_LIMIT_EXCEEDED for regions that the plan does not include. */
export function requireRegions(plan: PlanId, regions: readonly RegionId[]): void {
  const refusedBy = ({ regions: included, ownRegions }: PlanLimits) =>
    regions.filter((region) => (isBuiltInRegionId(region) ? !included.includes(region) : ownRegions === 0));
  const refused = refusedBy(PLANS[plan]);
  if (refused.length === 0) return;
  const included = PLANS[plan].regions.join(', ');
  throw planLimit(
    `The ${plan} plan does not include ${refused.join(', ')}. It includes ${included}.`,
    (limits) => refusedBy(limits).length === 0,
  );
}
