import type { SecureContext } from 'node:tls';
import { describeError } from '@/lib/core/errors';
import { storableText } from '@/lib/core/storable-text';
import { type GuardedResponse, requestGuarded } from '@/lib/platform/net/http-request';
import type { KeptConnections } from '@/lib/platform/net/kept-connections';
import { NetError } from '@/lib/platform/net/net-error';
import type { Resolver } from '@/lib/platform/net/resolve';
import type { TargetPolicy } from '@/lib/platform/net/target-policy';

/** An attempt ends within this many milliseconds. */
export const TIMEOUT_MS = 30_000;
const KEPT_BODY_BYTES = 16 * 1024;
/** Enough for a product that names the message that it posted: it repeats all of it, with escapes. */
export const NAMED_MESSAGE_BYTES = 256 * 1024;
/** How long the body of a 2xx response may take, in milliseconds. */
const SUCCESS_TAIL_MS = 1000;
const MAX_ERROR_LENGTH = 500;

/** A response as it can be stored: the beginning of its body. */
export type ReceivedResponse = { statusCode: number; headers: Record<string, string>; body: string };

/** What every attempt has that sent a request. */
type Made = {
  request: { method: Method; url: string; headers: Record<string, string> };
  /** Milliseconds. */
  duration: number;
  /** The body, if it was rendered for this attempt: later ones send it again. */
  renderedBody?: string;
};

/** The outcome of an attempt that sent a request. */
export type SentOutcome = Made &
  (
    | { kind: 'delivered'; response: ReceivedResponse }
    /** The receiver responded, but did not accept it. */
    | { kind: 'rejected'; response: ReceivedResponse; error: string }
    /** There was no complete response; `statusCode`: what was received of it. */
    | { kind: 'failed'; statusCode: number | null; error: string }
  );

/** The outcome of one attempt. */
export type DeliveryOutcome =
  | SentOutcome
  /** Nothing had to be sent: it counts as delivered. */
  | { kind: 'skipped'; reason: string }
  /** Nothing could be sent. */
  | { kind: 'unsent'; error: string };

/** Whether a delivery is over because of this attempt. */
export function isDelivered({ kind }: DeliveryOutcome): boolean {
  return kind === 'delivered' || kind === 'skipped';
}

/** The status code of the response, also of one that was cut off; null: none was received. */
export function statusCodeOf(outcome: DeliveryOutcome): number | null {
  if ('response' in outcome) return outcome.response.statusCode;
  return outcome.kind === 'failed' ? outcome.statusCode : null;
}

/** Why nothing was delivered, or nothing was sent; null: it was delivered. */
export function errorOf(outcome: DeliveryOutcome): string | null {
  if (outcome.kind === 'skipped') return outcome.reason;
  return outcome.kind === 'delivered' ? null : outcome.error;
}

/** How requests are sent, with the same guard as probes. */
export type Sender = {
  policy: TargetPolicy;
  resolver?: Resolver;
  /** Connections kept open between attempts; without it each attempt opens its own. */
  connections?: KeptConnections;
  /** Timeout of a whole attempt in milliseconds; 30 s by default. */
  timeout?: number;
  /** The authorities to trust instead of Node's. */
  secureContext?: SecureContext;
};

type Method = 'POST' | 'PATCH';

/** A request to an endpoint; endpoints do not share connections. */
export type Posted = {
  endpointId: string;
  /** Changes with the endpoint: connections that were opened before are then closed. */
  revision?: string;
  method?: Method;
  url: string;
  headers: Record<string, string>;
  payload: string;
};

/**
 * Posts a payload to a receiver. 2xx within 30 s is a success, whatever comes after the headers: at most 16 KiB or 1 s of it is read.
 * Redirects are failures. Never throws.
 */
export async function sendDelivery(sender: Sender, posted: Posted): Promise<SentOutcome> {
  return (await sendRequest(sender, posted)).outcome;
}

/** The same with the text of the response: its first `maxBodyBytes`, by default 16 KiB. */
export async function sendRequest(
  { timeout = TIMEOUT_MS, connections, ...sender }: Sender,
  { endpointId, revision = '', method = 'POST', url, headers, payload }: Posted,
  maxBodyBytes = KEPT_BODY_BYTES,
): Promise<{ outcome: SentOutcome; text: string }> {
  const startedAt = performance.now();
  const request = { method, url, headers };
  const duration = () => Math.round(performance.now() - startedAt);
  try {
    const response = await requestGuarded({
      ...sender,
      url,
      method,
      headers,
      body: payload,
      deadline: timeout,
      maxBodyBytes,
      successTailMs: SUCCESS_TAIL_MS,
      ...(connections ? { kept: { connections, owner: endpointId, revision } } : {}),
    });
    const { statusCode } = response;
    const received = Object.entries(response.headers).map(([name, value]) => [
      name,
      storableText(String(value)),
    ]);
    const stored = {
      statusCode,
      headers: Object.fromEntries(received),
      body: readText(response, KEPT_BODY_BYTES),
    };
    const made = { request, duration: duration(), response: stored };
    const text = readText(response, maxBodyBytes);
    if (statusCode >= 200 && statusCode < 300) return { outcome: { ...made, kind: 'delivered' }, text };
    const error = `responded with ${statusCode}, expected 2xx`;
    return { outcome: { ...made, kind: 'rejected', error }, text };
  } catch (error) {
    const statusCode = error instanceof NetError ? (error.progress?.statusCode ?? null) : null;
    const problem = storableText(describeError(error), MAX_ERROR_LENGTH);
    const made = { request, duration: duration() };
    return { outcome: { ...made, kind: 'failed', statusCode, error: problem }, text: '' };
  }
}

/** The beginning of a response body as text, without a character split by the limit. */
function readText({ body, truncated }: Pick<GuardedResponse, 'body' | 'truncated'>, bytes: number): string {
  const stream = truncated || body.length > bytes;
  return storableText(
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(body.subarray(0, bytes), { stream }),
  );
}
