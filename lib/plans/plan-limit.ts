import { DomainError } from '@/lib/core/errors';
import { PLANS, type PlanId, type PlanLimits } from './catalogue';

const BY_SIZE: readonly PlanId[] = ['free', 'pro', 'enterprise'];

/** PLAN_LIMIT_EXCEEDED, with the smallest plan that allows what was refused. */
export class PlanLimitError extends DomainError {
  constructor(
    message: string,
    readonly needed: PlanId,
  ) {
    super('PLAN_LIMIT_EXCEEDED', message);
  }
}

/** The error for what a plan does not allow: which limit, and who can change that. `allows` is true of a plan that is large enough. */
export function planLimit(limit: string, allows: (limits: PlanLimits) => boolean): DomainError {
  const needed = BY_SIZE.find((plan) => allows(PLANS[plan]));
  if (needed === undefined) return new DomainError('PLAN_LIMIT_EXCEEDED', limit);
  return new PlanLimitError(`${limit} The operator of this service can change the plan.`, needed);
}
