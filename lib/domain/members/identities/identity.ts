import type { Role } from '@/lib/domain/context/organization-context';
import type { PlanId } from '@/lib/plans/catalogue';

/** An account at a provider, proven by the provider itself. */
export type ProvenIdentity = {
  /** The provider as people know it. */
  providerName: string;
  /** Identify the account for good; addresses can pass to others. */
  issuer: string;
  subject: string;
  /** Normalized by `emailAddress`; null: the provider states none. */
  email: string | null;
  isVerified: boolean;
  name: string | null;
  /** The role that its claims give in the configured organization; null: none. */
  role: Role | null;
  /** The provider decides who belongs to the allowed domains. */
  vouchesForDomains: boolean;
};

/** Whom providers can bring in. */
export type NewcomerRules = {
  /** ID or name of the organization in which people of `allowedDomains` land and roles follow claims. */
  organization: string | null;
  allowedDomains: readonly string[];
  isSignUpOpen: boolean;
  /** The plan of organizations of people who sign up. */
  plan: PlanId;
};
