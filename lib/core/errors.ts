/** The codes of rejected requests; `lib/web/http/problem.ts` maps each to an HTTP status. */
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
  | 'IN_PROGRESS'
  | 'REF_TAKEN'
  | 'ENDPOINT_DISABLED'
  | 'MONITOR_PAUSED'
  | 'PRECONDITION_FAILED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_MISMATCH'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE'
  | 'INTERNAL_ERROR';

/** An invalid field: `path` is dotted (`headers.X-Token`), `message` is a predicate ("must be at least 8 characters"). */
export type ErrorDetail = { path: string; code: string; message: string };

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

/** RATE_LIMITED for one resource, whatever else the caller requests; `retryAfter` is in seconds. */
export class TooSoonError extends DomainError {
  constructor(
    message: string,
    readonly retryAfter: number,
  ) {
    super('RATE_LIMITED', message);
  }
}

/** A problem and its invalid fields as one line: `The request is not valid: url. url must be a URL.` */
export function formatProblem({ code, message, details = [] }: Problem): string {
  const [first] = details;
  // The only detail of an error about one field repeats its message.
  if (
    details.length === 1 &&
    first?.code !== undefined &&
    first.code === code?.toLowerCase() &&
    !first.path.includes('.')
  )
    return message;
  return [message, ...details.map((detail) => `${detail.path} ${detail.message}.`)].join(' ');
}

/** What an API reports of an error. */
export type Problem = {
  code?: string;
  message: string;
  details?: readonly (Pick<ErrorDetail, 'path' | 'message'> & Partial<ErrorDetail>)[];
};

/** The error for a resource that does not exist or belongs to another organization: `Monitor not found.` */
export function notFound(resource: string): DomainError {
  return new DomainError('NOT_FOUND', `${resource} not found.`);
}

/** Whether an error is that of a resource that does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'NOT_FOUND';
}

/** The resource that was looked up. Throws NOT_FOUND if there is none. */
export function requireFound<T>(found: T | null | undefined, resource: string): T {
  if (found === null || found === undefined) throw notFound(resource);
  return found;
}

/** The error for one field that is valid on its own, but not for this resource or at this time. */
export function invalidField(path: string, message: string, code = 'invalid'): DomainError {
  return new DomainError('VALIDATION_ERROR', `The request is not valid: ${path}.`, [{ path, code, message }]);
}

/** The error for a request that is valid on its own, but not in the current state of what it is for. */
export function invalidState(message: string, details?: ErrorDetail[]): DomainError {
  return new DomainError('VALIDATION_ERROR', message, details);
}

/** An error at startup: the operator gets one line with what to do, and the process exits with 1. */
export class StartupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartupError';
  }
}

/** Of the system, of a quota, and of PostgreSQL. */
const DISK_FULL_CODES = ['ENOSPC', 'EDQUOT', '53100'];

/** Whether something failed because a disk is full, whatever wraps the error. */
function isDiskFull(error: Error): boolean {
  const isOwn = 'code' in error && DISK_FULL_CODES.includes(String(error.code));
  if (isOwn || /no space left on device/i.test(error.message)) return true;
  return error.cause instanceof Error && isDiskFull(error.cause);
}

/** The message of an unknown thrown value, for logs and records. It says so if a disk is full, in whatever phase. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return [...new Set(error.errors.map(describeError))].join('; ');
  if (!(error instanceof Error)) return String(error);
  const message = error.message || error.name;
  return isDiskFull(error) && !/disk.* is full/i.test(message) ? `the disk is full: ${message}` : message;
}
