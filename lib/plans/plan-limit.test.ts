import { expect, it } from 'vitest';
import type { PlanId } from './catalogue';
import { PlanLimitError } from './plan-limit';
import { requireQuota, requireRegions } from './require-quota';

/** The message of a refusal, and the plan that it takes; null: none. */
function refusal(work: () => void): [string, PlanId | null] {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return [error.message, error instanceof PlanLimitError ? error.needed : null];
  }
  throw new Error('nothing was refused');
}

const OPERATOR = 'The operator of this service can change the plan.';

it('a refusal names the limit, who can raise it, and the smallest plan that allows as much', () => {
  expect(refusal(() => requireQuota('free', 'statusPages', 3))).toEqual([
    `The free plan allows 3 status pages, and all are in use. ${OPERATOR}`,
    'pro',
  ]);
  expect(refusal(() => requireQuota('free', 'monitors', 1000))[1]).toBe('enterprise');
  expect(refusal(() => requireQuota('pro', 'ownRegions', 0))).toEqual([
    `The pro plan does not include own regions. ${OPERATOR}`,
    'enterprise',
  ]);
  expect(refusal(() => requireRegions('free', ['us-east', 'ap-southeast']))).toEqual([
    `The free plan does not include ap-southeast. It includes us-east, eu-west. ${OPERATOR}`,
    'pro',
  ]);
  expect(refusal(() => requireRegions('pro', ['ap-southeast', 'loc_101']))[1]).toBe('enterprise');
});

it('where the plan has no limits, what everybody is limited to mentions no plan', () => {
  expect(refusal(() => requireQuota('enterprise', 'ownRegions', 50))).toEqual([
    'An organization can have 50 own regions, and all are in use. Delete one first.',
    null,
  ]);
});
