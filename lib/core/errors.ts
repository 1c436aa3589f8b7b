/** The codes of rejected requests; `lib/web/http/error-status.ts` maps each to an HTTP status. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'INVALID_JSON'
  | 'SLUG_TAKEN'
  | 'UNKNOWN_MONITOR'
  | 'UNKNOWN_REGION'
  | 'DOMAIN_TAKEN'
  | 'BLOCKED_TARGET'
  | 'UNAUTHORIZED'
  | 'PLAN_LIMIT_EXCEEDED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'CONFLICT'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_MISMATCH'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR';

/** An invalid field: `path` is dotted (`headers.X-Token`), `message` is a predicate ("must be at least 8 characters"). */
export type ErrorDetail = { path: string; code: string; message: string };

/** Limits the size of an error response. */
export const MAX_DETAILS = 50;

/** An error that is reported to the caller, as opposed to an internal error, with at most 50 details. */
export class DomainError extends Error {
  readonly details?: ErrorDetail[];

  constructor(
    readonly code: ErrorCode,
    message: string,
    details?: ErrorDetail[],
  ) {
    super(message);
    this.name = 'DomainError';
    if (details) this.details = details.slice(0, MAX_DETAILS);
  }
}

/** An error at startup: the operator gets one line with what to do, and the process exits with 1. */
export class StartupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartupError';
  }
}

/** The message of an unknown thrown value, for logs and records. */
export function describeError(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}
