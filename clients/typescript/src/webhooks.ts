import { EVENT_KINDS, type KnownEvent } from './generated/events.js';

/** An event that this version of the client does not know; `kind` is its name, and `payload` its whole body. */
export type UnknownEvent = {
  event: 'unknown';
  kind: string;
  id: string | null;
  timestamp: string | null;
  payload: Record<string, unknown>;
};

/** An event, distinguished by `event`. `id` is the same on every attempt and replay: skip events that you have processed. */
export type WebhookEvent = KnownEvent | UnknownEvent;

export type WebhookErrorCode =
  | 'INVALID_SECRET'
  | 'MISSING_HEADER'
  | 'TIMESTAMP_TOO_FAR'
  | 'SIGNATURE_MISMATCH'
  | 'INVALID_BODY';

/** A request that must not be trusted: respond with 401. `INVALID_SECRET` is an error of the receiver. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A webhook request, as received. */
export type ReceivedWebhook = {
  /** The body exactly as received: parsed and written again, it has another signature. */
  body: string | Uint8Array | ArrayBuffer;
  /** Of a Request, or of `node:http`. */
  headers: Headers | Record<string, string | readonly string[] | undefined>;
  /** The secret of the endpoint, `whsec_…`, or several; one must match. */
  secret: string | readonly string[];
  /** How many seconds the time of the attempt may differ from now; 300 by default. */
  tolerance?: number;
  /** Now, in Unix seconds. */
  now?: number;
};

/**
 * The event in a webhook request, whose signature, of the scheme Standard Webhooks, was compared in constant time. Throws
 * WebhookVerificationError. Works wherever Web Crypto does: Node.js, Deno, Bun, Workers.
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent> {
  const { secret, tolerance = 300, now = Date.now() / 1000 } = received;
  const body = toBytes(received.body);
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    readHeader(received.headers, name),
  ) as [string, string, string];
  // Written so that NaN is too far, too.
  if (!/^\d{1,12}$/.test(timestamp) || !(Math.abs(now - Number(timestamp)) <= tolerance)) {
    throw new WebhookVerificationError(
      'TIMESTAMP_TOO_FAR',
      `The request is not from the last ${tolerance} seconds. Check the clock of this machine; it may also be a replay by someone else.`,
    );
  }
  const signed = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  if (!(await isSigned(signed, signatures, typeof secret === 'string' ? [secret] : secret))) {
    throw new WebhookVerificationError(
      'SIGNATURE_MISMATCH',
      'No signature matches. Check that the secret is that of this endpoint, and that the body is exactly as received.',
    );
  }
  return parseEvent(body);
}

/** While a secret is rotated, there is a signature for each: one match is enough. */
async function isSigned(signed: Bytes, signatures: string, secrets: readonly string[]): Promise<boolean> {
  const given = signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .slice(0, MAX_SIGNATURES)
    .map((signature) => fromBase64(signature.slice(3)));
  for (const key of await Promise.all(secrets.map(importKey))) {
    for (const signature of given) {
      // Compares in constant time.
      if (signature !== null && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true;
    }
  }
  return false;
}

/** Two during a rotation; anybody can send more. */
const MAX_SIGNATURES = 10;
const SECRET = /^whsec_([A-Za-z0-9+/=]+)$/;

async function importKey(secret: string) {
  const bytes = fromBase64(SECRET.exec(secret.trim())?.[1] ?? '');
  if (bytes === null || bytes.length === 0) {
    throw new WebhookVerificationError(
      'INVALID_SECRET',
      'The secret of an endpoint begins with whsec_. Pass all of it.',
    );
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function parseEvent(body: Bytes): WebhookEvent {
  let payload: unknown;
  try {
    payload = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    payload = null;
  }
  if (
    typeof payload !== 'object' ||
    payload === null ||
    !('event' in payload) ||
    typeof payload.event !== 'string'
  ) {
    throw new WebhookVerificationError(
      'INVALID_BODY',
      'The body is signed, but is not an event. Set the format of the endpoint to standard.',
    );
  }
  const { event: kind } = payload;
  // The signature proves that Pharos sent it, so its fields are those of the kind.
  if (EVENT_KINDS.some((known) => known === kind)) return payload as KnownEvent;
  const { id, timestamp } = payload as { id?: unknown; timestamp?: unknown };
  return {
    event: 'unknown',
    kind,
    id: typeof id === 'string' ? id : null,
    timestamp: typeof timestamp === 'string' ? timestamp : null,
    payload: payload as Record<string, unknown>,
  };
}

function readHeader(headers: ReceivedWebhook['headers'], name: string): string {
  const value = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const [first] = typeof value === 'string' ? [value] : (value ?? []);
  if (first !== undefined && first !== '') return first;
  throw new WebhookVerificationError(
    'MISSING_HEADER',
    `The header ${name} is missing. Only endpoints with the format standard receive signed events.`,
  );
}

function isHeaders(headers: ReceivedWebhook['headers']): headers is Headers {
  return typeof headers.get === 'function';
}

/** The bytes of an ArrayBuffer, which Web Crypto requires. */
type Bytes = Uint8Array<ArrayBuffer>;

function toBytes(body: ReceivedWebhook['body']): Bytes {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body);
  throw new TypeError('Pass the body as received, as text or bytes, and not what was parsed from it.');
}

function concatenate(start: Bytes, end: Bytes): Bytes {
  const all = new Uint8Array(start.length + end.length);
  all.set(start);
  all.set(end, start.length);
  return all;
}

function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
