import type { ErrorCode } from '@/lib/core/errors';

type Text = { type: 'string'; examples: string[] };
type Count = { type: 'integer'; minimum: number; maximum: number; examples: number[] };
type Header = { description: string; schema: Text | Count };

const text = (description: string, example: string): Header => ({
  description,
  schema: { type: 'string', examples: [example] },
});

const count = (description: string, example: number): Header => ({
  description,
  schema: { type: 'integer', minimum: 0, maximum: 2_147_483_647, examples: [example] },
});

/** The headers of responses, as components of the document. */
export const HEADERS = {
  'X-Request-Id': text('The ID of the request, also in its log line', '0190f3a2-7c4e-7b1d-9a55-2f1c3d4e5f60'),
  'X-Api-Version': text('The version of the API', '1'),
  RateLimit: text('The remaining requests, and the seconds until they are restored', '"default";r=598;t=42'),
  'RateLimit-Policy': text('The limit, and its window in seconds', '"default";q=600;w=60'),
  'Retry-After': count('Seconds to wait before a retry', 1),
  ETag: text('For If-None-Match; strong ones also for If-Match', 'W/"0Xk2fJ8qL1"'),
  Link: text(
    'The next page; missing on the last one',
    '<https://pharos.example.com/api/monitors?cursor=MTc3NDM>; rel="next"',
  ),
  'X-Total-Count': count('The number of all that match, of lists that are returned whole by default', 120),
  Location: text(
    'The URL of what was created',
    'https://pharos.example.com/api/monitors/mon_01kxk1j7c2e5x8q3n6w4r9t0zb',
  ),
  'Idempotent-Replayed': text(
    '`true` if this is the response to an earlier request with the same key',
    'true',
  ),
  'WWW-Authenticate': text('How to authenticate', 'Bearer'),
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof HEADERS;

/** References to headers, for a response. */
export function referTo(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` as const }]));
}

const reading = 'Evaluated by RFC 9110, section 13';

/** The headers of requests: of those that change something only once, and preconditions. */
export const REQUEST_HEADERS = {
  'Idempotency-Key': text('The same key and body within 24 hours have the effect once', 'order-4711'),
  'If-Match': text(`Only if the resource still has this strong ETag. ${reading}`, '"0Xk2fJ8qL1"'),
  'If-None-Match': text(`Only if the resource does not have this ETag. ${reading}`, 'W/"0Xk2fJ8qL1"'),
  'If-Unmodified-Since': text(
    `Only if the resource was not changed since. ${reading}`,
    'Mon, 01 Mar 2027 10:00:00 GMT',
  ),
} as const;

/** The headers of every webhook request. */
export const WEBHOOK_HEADERS = {
  'User-Agent': text('Pharos', 'Pharos-Webhook/1.0'),
  'X-Service-Event': text('The kind of event', 'monitor.down'),
  'X-Service-Event-Id': text(
    'The ID of the event, the same for all endpoints',
    'evt_01kxk24m3p6r9u2x5z8c1e4g7h',
  ),
  'X-Service-Timestamp': text('When the event occurred, in Unix seconds', '1803895200'),
  'X-Service-Delivery-Id': text(
    'The same for every attempt: drop what you have seen',
    'del_01kxk1v3a6d9g2k5n8r1t4w7yd',
  ),
  'X-Service-Attempt': text('The number of the attempt', '1'),
  'X-Service-Signature': text(
    'HMAC-SHA256 of the body with the secret',
    'sha256=5257a869e7ecebeda32affa62cdca3fa',
  ),
  'X-Service-Signature-Next': text(
    'During a rotation: with the new secret',
    'sha256=a3fa5257a869e7ecebeda32affa62cdc',
  ),
  'webhook-id': text('As in Standard Webhooks: the ID of the delivery', 'del_01kxk1v3a6d9g2k5n8r1t4w7yd'),
  'webhook-timestamp': text('When this attempt was sent, in Unix seconds', '1803895201'),
  'webhook-signature': text(
    'As in Standard Webhooks, one for every valid secret',
    'v1,MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
  ),
} as const;

/** A message of each error, as in responses. */
export const ERROR_MESSAGES: Record<ErrorCode, string> = {
  VALIDATION_ERROR: 'The request is invalid: name must not be empty.',
  INVALID_JSON: 'The body is not valid JSON.',
  SLUG_TAKEN: 'This slug is already in use.',
  UNKNOWN_MONITOR: 'A monitor in the list does not exist.',
  UNKNOWN_REGION: 'A region in the list does not exist.',
  DOMAIN_TAKEN: 'This domain is already in use.',
  BLOCKED_TARGET: 'This address must not be checked.',
  UNAUTHORIZED: 'The API key is missing or invalid.',
  PLAN_LIMIT_EXCEEDED: 'Your plan does not allow more.',
  FORBIDDEN: 'This key may only read.',
  NOT_FOUND: 'Nothing found at this path.',
  METHOD_NOT_ALLOWED: 'This path does not support this method.',
  CONFLICT: 'Someone else has changed this in the meantime. Fetch it again, and repeat your change.',
  IN_PROGRESS: 'A request with this Idempotency-Key is under way. Retry in a moment.',
  REF_TAKEN: 'This reference is already in use.',
  ENDPOINT_DISABLED: 'The endpoint is disabled. Enable it first.',
  MONITOR_PAUSED: 'This monitor is paused. Resume it first.',
  PRECONDITION_FAILED: 'The precondition If-Match is not met. Fetch it again, and repeat your change.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 1 MiB.',
  UNSUPPORTED_MEDIA_TYPE: 'Send the body as application/json.',
  IDEMPOTENCY_MISMATCH: 'This Idempotency-Key was used with another body.',
  RATE_LIMITED: 'Too many requests. Wait as long as Retry-After says.',
  UNAVAILABLE: 'The service is unavailable. Retry in a few seconds.',
  INTERNAL_ERROR: 'Something went wrong on our side. Retry, and report the request ID if it persists.',
};
