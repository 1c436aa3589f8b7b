import { formatCommand } from '@/lib/command-line';
import { DomainError } from '@/lib/core/errors';
import { currentRequest } from '@/lib/core/request-context';
import { getEnvironment } from '@/lib/env';
import { PlanLimitError } from '@/lib/plans/plan-limit';

/**
 * An error as it is shown to the caller: a limit of the plan with the command that raises it. Where strangers can sign up, the command is
 * none of their business, and the error is left as it is.
 */
export function withPlanCommand(error: DomainError): DomainError {
  const { organizationId } = currentRequest() ?? {};
  if (!(error instanceof PlanLimitError) || organizationId === undefined) return error;
  if (getEnvironment().SIGN_UP === 'open') return error;
  const values = { ORGANIZATION: organizationId, PLAN: error.needed };
  const command = formatCommand('org plan ORGANIZATION PLAN', { values });
  return new DomainError(error.code, `${error.message.replace(/\.$/, '')}: ${command}`);
}
