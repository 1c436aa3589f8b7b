import { z } from 'zod';
import { DomainError, type ErrorCode } from '@/lib/core/errors';
import { isTransactionEnded, whyUnavailable } from '@/lib/platform/db/unavailable';
import { described } from '@/lib/schemas/described';
import { withPlanCommand } from './plan-command';

/** Maps error codes to HTTP statuses. */
export const ERROR_STATUS: Record<ErrorCode, number> = {
  VALIDATION_ERROR: 400,
  INVALID_JSON: 400,
  SLUG_TAKEN: 400,
  UNKNOWN_MONITOR: 400,
  UNKNOWN_REGION: 400,
  DOMAIN_TAKEN: 400,
  BLOCKED_TARGET: 400,
  UNAUTHORIZED: 401,
  PLAN_LIMIT_EXCEEDED: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  IN_PROGRESS: 409,
  REF_TAKEN: 409,
  ENDPOINT_DISABLED: 409,
  MONITOR_PAUSED: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_MISMATCH: 422,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
  INTERNAL_ERROR: 500,
};

/** The body of every error response. */
export const problemSchema = z
  .strictObject({
    error: z
      .strictObject({
        code: z
          .enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]])
          .describe('What went wrong, for programs'),
        message: described(
          z.string(),
          'What went wrong, and what to do next, for people',
          'Nothing found at this path.',
        ),
        details: z
          .array(
            z.strictObject({
              path: described(z.string(), 'The field, with dots: `regions.0`', 'name'),
              code: described(z.string(), 'What is wrong with the field, for programs', 'too_small'),
              message: described(z.string(), 'What is wrong with the field', 'must not be empty'),
            }),
          )
          .optional()
          .describe('Each field that was refused; only of validation errors'),
        requestId: described(
          z.string(),
          'The ID of the request, also in X-Request-Id',
          '0190f3a2-7c4e-7b1d-9a55-2f1c3d4e5f60',
        ),
      })
      .describe('What went wrong'),
  })
  .meta({ id: 'Error' });

const INTERNAL_ERROR = new DomainError(
  'INTERNAL_ERROR',
  'Something went wrong on our side. Retry, and report the request ID if it persists.',
);

const UNAVAILABLE = new DomainError('UNAVAILABLE', 'The service is unavailable. Retry in a few seconds.');

/**
 * What is reported of an error: itself if it is for the caller, otherwise UNAVAILABLE if the database cannot be reached or has ended the
 * transaction, or INTERNAL_ERROR. The last two do not reveal their cause; the log line with the request ID does.
 */
export function reportedError(error: unknown): DomainError {
  if (error instanceof DomainError) return withPlanCommand(error);
  const isTemporary = whyUnavailable(error) !== null || isTransactionEnded(error);
  return isTemporary ? UNAVAILABLE : INTERNAL_ERROR;
}

/** An error as status and body. */
export function problemBody(
  error: unknown,
  requestId: string,
): { status: number; body: z.output<typeof problemSchema> } {
  const { code, message, details } = reportedError(error);
  return {
    status: ERROR_STATUS[code],
    body: { error: { code, message, ...(details ? { details } : {}), requestId } },
  };
}

/** The error of one item of a request for many, with the status that it would have alone. */
export function itemProblem(error: DomainError) {
  const { code, message, details } = withPlanCommand(error);
  return { status: ERROR_STATUS[code], error: { code, message, ...(details ? { details } : {}) } };
}

/** Headers of every response with a code: how to authenticate (RFC 9110, 11.6.1), and when to retry. */
export const CODE_HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  UNAUTHORIZED: { 'WWW-Authenticate': 'Bearer' },
  IN_PROGRESS: { 'Retry-After': '1' },
  UNAVAILABLE: { 'Retry-After': '5' },
};

/** Responds with an error. */
export function problemResponse(
  error: unknown,
  requestId: string,
  headers: Record<string, string> = {},
): Response {
  const { status, body } = problemBody(error, requestId);
  const all = { ...commonHeaders(requestId), ...CODE_HEADERS[body.error.code], ...headers };
  return Response.json(body, { status, headers: all });
}

/** Headers of every API response. */
export function commonHeaders(requestId: string): Record<string, string> {
  return { 'X-Request-Id': requestId, 'X-Api-Version': '1', 'Cache-Control': 'no-store' };
}

/** Lets scripts of any web page read the response. */
export const ANY_ORIGIN = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Age, ETag, Retry-After, X-Api-Version, X-Pharos-Verified-At, X-Request-Id',
};
