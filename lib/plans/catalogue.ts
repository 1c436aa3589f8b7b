import { REGION_IDS, type RegionId } from '@/lib/schemas/regions';

export type PlanId = 'free' | 'pro' | 'enterprise';

/** The limits of a plan; `Infinity` is unlimited. */
export type PlanLimits = {
  monitors: number;
  statusPages: number;
  webhooks: number;
  members: number;
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
    monitors: Number.POSITIVE_INFINITY,
    statusPages: Number.POSITIVE_INFINITY,
    webhooks: Number.POSITIVE_INFINITY,
    members: Number.POSITIVE_INFINITY,
    regions: REGION_IDS,
    customDomain: true,
    requestsPerMinute: 6000,
  },
};
