import { z } from 'zod';
import { DomainError, type ErrorCode } from '@/lib/core/errors';
import { ERROR_STATUS } from './error-status';

/** The body of every refusal. */
export const problemSchema = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      details: z
        .array(z.strictObject({ path: z.string(), code: z.string(), message: z.string() }))
        .optional(),
      requestId: z.string(),
    }),
  })
  .meta({ id: 'Error' });

/** A refusal as status and body. A fault of ours says nothing of its cause; the log line with the request id does. */
export function problemBody(
  error: unknown,
  requestId: string,
): { status: number; body: z.output<typeof problemSchema> } {
  const refusal =
    error instanceof DomainError
      ? error
      : new DomainError('INTERNAL_ERROR', 'Something went wrong on our side.');
  const { code, message, details } = refusal;
  return {
    status: ERROR_STATUS[code],
    body: { error: { code, message, ...(details ? { details } : {}), requestId } },
  };
}

/** Answers a refusal. */
export function problemResponse(
  error: unknown,
  requestId: string,
  headers: Record<string, string> = {},
): Response {
  const { status, body } = problemBody(error, requestId);
  return Response.json(body, { status, headers: { ...commonHeaders(requestId), ...headers } });
}

/** What every API answer carries. */
export function commonHeaders(requestId: string): Record<string, string> {
  return { 'X-Request-Id': requestId, 'X-Api-Version': '1', 'Cache-Control': 'no-store' };
}
