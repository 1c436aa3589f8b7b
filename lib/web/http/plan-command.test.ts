import { afterEach, expect, it } from 'vitest';
import { formatCommand } from '@/lib/command-line';
import { DomainError } from '@/lib/core/errors';
import { runInRequest } from '@/lib/core/request-context';
import { childEnvironment, replaceEnvironment } from '@/lib/env';
import { PlanLimitError } from '@/lib/plans/plan-limit';
import { withPlanCommand } from './plan-command';

const LIMIT =
  'The free plan allows 3 members, and all are in use. The operator of this service can change the plan.';
const refused = new PlanLimitError(LIMIT, 'pro');
let restore = () => {};
afterEach(() => restore());

/** What a member of an organization reads. */
function read(error: DomainError, signUp: 'invite' | 'open' = 'invite'): string {
  restore = replaceEnvironment(
    childEnvironment({ SIGN_UP: signUp, APP_URL: 'https://pharos.example', SMTP_URL: 'smtp://mail' }),
  );
  return runInRequest({ requestId: 'req_1', organizationId: 'org_1' }, () => withPlanCommand(error).message);
}

it('a limit of the plan comes with the command that raises it, where everyone who can sign in is the operator’s own', () => {
  const command = formatCommand('org plan ORGANIZATION PLAN', {
    values: { ORGANIZATION: 'org_1', PLAN: 'pro' },
  });
  expect(read(refused)).toBe(`${LIMIT.slice(0, -1)}: ${command}`);
});

it('strangers, visitors and other errors get no command', () => {
  expect(read(refused, 'open')).toBe(LIMIT);
  expect(withPlanCommand(refused)).toBe(refused);
  expect(read(new DomainError('FORBIDDEN', 'No.'))).toBe('No.');
});
