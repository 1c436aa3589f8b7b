import { BUILT_IN_REGION_IDS, type BuiltInRegionId } from '@/lib/schemas/regions';

export type PlanId = 'free' | 'pro' | 'enterprise';

/** The limits of a plan; null is unlimited. */
export type PlanLimits = {
  monitors: number | null;
  statusPages: number | null;
  webhooks: number | null;
  /** Addresses that get alerts without an account. */
  emailRecipients: number | null;
  members: number | null;
  /** Of the built-in ones. */
  regions: readonly BuiltInRegionId[];
  ownRegions: number;
  customDomain: boolean;
  /** Status pages with custom CSS and without “Powered by”. */
  branding: boolean;
  /** Whether status pages can be visible to some people only. */
  privatePages: boolean;
  /** API requests per minute, across all web processes. */
  requestsPerMinute: number;
};

/** Whether a plan limits what people create. Where it does not, screens do not mention plans. */
export function hasLimits(plan: PlanId): boolean {
  const { monitors, statusPages, webhooks, members } = PLANS[plan];
  return [monitors, statusPages, webhooks, members].some((limit) => limit !== null);
}

export const PLANS: Record<PlanId, PlanLimits> = {
  free: {
    monitors: 50,
    statusPages: 3,
    webhooks: 3,
    emailRecipients: 3,
    members: 3,
    regions: ['us-east', 'eu-west'],
    ownRegions: 0,
    customDomain: false,
    branding: false,
    privatePages: false,
    requestsPerMinute: 120,
  },
  pro: {
    monitors: 1000,
    statusPages: 50,
    webhooks: 25,
    emailRecipients: 25,
    members: 25,
    regions: BUILT_IN_REGION_IDS,
    ownRegions: 0,
    customDomain: true,
    branding: true,
    privatePages: true,
    requestsPerMinute: 600,
  },
  enterprise: {
    monitors: null,
    statusPages: null,
    webhooks: null,
    emailRecipients: null,
    members: null,
    regions: BUILT_IN_REGION_IDS,
    ownRegions: 50,
    customDomain: true,
    branding: true,
    privatePages: true,
    requestsPerMinute: 6000,
  },
};
