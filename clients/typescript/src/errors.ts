import type * as api from './generated/types.gen.js';

/** The codes of the API, and two of this client. New versions of the service can add codes. */
export type ErrorCode =
  | api.Error['error']['code']
  // What responded is not the API of Pharos.
  | 'UNEXPECTED_RESPONSE'
  // To a request with If-None-Match.
  | 'NOT_MODIFIED'
  | (string & {});

/** A field that was refused. */
export type ErrorDetail = { path: string; code: string; message: string };

type Content = {
  code: ErrorCode;
  message: string;
  details?: readonly ErrorDetail[];
  requestId?: string | null;
  retryAfter?: number | null;
};

/** A response that is an error. Branch on `code`; `message` is for people and may change. */
export class PharosError extends Error {
  override readonly name = 'PharosError';
  /** The HTTP status. */
  readonly status: number;
  readonly code: ErrorCode;
  /** The fields that were refused; empty unless the code is `VALIDATION_ERROR`. */
  readonly details: readonly ErrorDetail[];
  /** For the operator, who finds the request in the log with it. */
  readonly requestId: string | null;
  /** How many seconds to wait before a retry, if the service says so. */
  readonly retryAfter: number | null;

  constructor(status: number, { code, message, details = [], requestId = null, retryAfter = null }: Content) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** No response: the service cannot be reached, or took too long. `cause` is the reason. */
export class PharosConnectionError extends Error {
  override readonly name = 'PharosConnectionError';
}

/** The error that a response contains. `text` is its body. */
export function readError(response: Response, text: string, retryAfter: number | null): PharosError {
  const requestId = response.headers.get('x-request-id');
  const problem = parseProblem(text);
  if (problem !== null) return new PharosError(response.status, { ...problem, retryAfter });
  const { status } = response;
  if (status === 304)
    return new PharosError(status, { code: 'NOT_MODIFIED', message: 'Not modified.', requestId });
  const target = response.headers.get('location');
  const message =
    target !== null && status >= 300 && status < 400
      ? `The service redirects to ${target}. Use the address that it redirects to as the url of the client.`
      : `The response with status ${status} is not one of Pharos. Check the url of the client.`;
  return new PharosError(status, { code: 'UNEXPECTED_RESPONSE', message, requestId, retryAfter });
}

/** A response of success whose body is not what the API returns. */
export function createUnexpected(response: Response): PharosError {
  return new PharosError(response.status, {
    code: 'UNEXPECTED_RESPONSE',
    message: 'The response is not JSON, so it is not one of Pharos. Check the url of the client.',
    requestId: response.headers.get('x-request-id'),
  });
}

function parseProblem(text: string): api.Error['error'] | null {
  try {
    const { error } = JSON.parse(text) as Partial<api.Error>;
    return typeof error?.code === 'string' && typeof error.message === 'string' ? error : null;
  } catch {
    return null;
  }
}
