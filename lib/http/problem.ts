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

/** Answers a refusal. A fault of ours says nothing of its cause; the log line with the request id does. */
export function problemResponse(
  error: unknown,
  requestId: string,
  headers: Record<string, string> = {},
): Response {
  const refusal =
    error instanceof DomainError
      ? error
      : new DomainError('INTERNAL_ERROR', 'Something went wrong on our side.');
  const { code, message, details } = refusal;
  const body = { error: { code, message, ...(details ? { details } : {}), requestId } };
  return Response.json(body, {
    status: ERROR_STATUS[code],
    headers: { ...commonHeaders(requestId), ...headers },
  });
}

/** What every API answer carries. */
export function commonHeaders(requestId: string): Record<string, string> {
  return { 'X-Request-Id': requestId, 'X-Api-Version': '1', 'Cache-Control': 'no-store' };
}
