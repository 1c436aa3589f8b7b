import { REGION_IDS, type RegionId } from '@/lib/schemas/regions';

export type PlanId = 'free' | 'pro' | 'enterprise';

/** The limits of a plan; null is unlimited. */
export type PlanLimits = {
  monitors: number | null;
  statusPages: number | null;
  webhooks: number | null;
  members: number | null;
  regions: readonly RegionId[];
  customDomain: boolean;
  /** API requests per minute, across all web processes. */
  requestsPerMinute: number;
};

export const PLANS: Record<PlanId, PlanLimits> = {
  free: {
    monitors: 50,
    statusPages: 3,
    webhooks: 3,
    members: 3,
    regions: ['us-east', 'eu-west'],
    customDomain: false,
    requestsPerMinute: 120,
  },
  pro: {
    monitors: 1000,
    statusPages: 50,
    webhooks: 25,
    members: 25,
    regions: REGION_IDS,
    customDomain: true,
    requestsPerMinute: 600,
  },
  enterprise: {
    monitors: null,
    statusPages: null,
    webhooks: null,
    members: null,
    regions: REGION_IDS,
    customDomain: true,
    requestsPerMinute: 6000,
  },
};
