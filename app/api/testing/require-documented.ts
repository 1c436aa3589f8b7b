import { ERROR_STATUS, problemSchema } from '@/lib/web/http/problem';
import type { DocumentedOperation } from './operations';
import type { OutsideResponse } from './send';

/** Throws if a response differs from the documented ones of the operation; `logs` is the output of the service. */
export function requireDocumented(
  operation: DocumentedOperation,
  response: OutsideResponse,
  logs: string,
): void {
  const { status, headers, json, text } = response;
  const complaint = (what: string) =>
    new Error(`${operation.name}: ${what}; it was ${status} ${text.slice(0, 500)}`);
  if (status >= 500 && status !== operation.otherStatus)
    throw complaint(`a fault of the service, which logged ${findLine(logs, headers)}`);
  if (!operation.statuses.includes(status)) throw complaint('the document does not list this status');
  if (headers.get('x-api-version') !== '1') throw complaint('without X-Api-Version');
  if (!headers.get('content-type')?.startsWith('application/json')) throw complaint('no JSON');
  const { success, otherStatus, createdOutput } = operation;
  const output =
    status === success || status === otherStatus ? operation.output : status === 201 && createdOutput;
  if (output) {
    const fit = output.safeParse(json);
    if (!fit.success) throw complaint(`the body does not fit its schema (${fit.error.message})`);
    return;
  }
  const problem = problemSchema.safeParse(json);
  if (!problem.success) throw complaint('no error body');
  const { code, requestId, details = [] } = problem.data.error;
  if (!operation.codes.includes(code)) throw complaint(`the document does not list ${code}`);
  if (ERROR_STATUS[code] !== status) throw complaint(`${code} has another status`);
  const foreign = details.find(({ message }) => /invalid|expected|received/i.test(message));
  if (foreign !== undefined) throw complaint(`"${foreign.message}" is not our wording`);
  if (headers.get('x-request-id') !== requestId)
    throw complaint('X-Request-Id is not the requestId of the body');
}

function findLine(logs: string, headers: Headers): string {
  const requestId = headers.get('x-request-id') ?? '';
  return (
    logs
      .split('\n')
      .find((line) => line.includes(requestId))
      ?.slice(0, 2000) ?? 'nothing'
  );
}
