/** Every way in which a request can be refused; `lib/web/http/error-status.ts` maps each to an HTTP status. */
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

/** One field that was refused: `path` is dotted (`headers.X-Token`), `code` says why in a word. */
export type ErrorDetail = { path: string; code: string; message: string };

/** Nobody reads more; and a refusal must not cost more than the request that it refuses. */
export const MAX_DETAILS = 50;

/** A refusal that the caller is told about, as opposed to a fault of ours. It holds the first 50 of its details. */
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

/** A wrong start: the operator reads one line that says what to do, and the process exits 1. */
export class StartupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartupError';
  }
}

/** What an unknown thrown value has to say, for logs and records. */
export function describeError(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}
