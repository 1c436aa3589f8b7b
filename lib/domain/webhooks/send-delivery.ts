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

/** The outcome of one attempt. */
export type DeliveryOutcome = {
  delivered: boolean;
  /** The request; null: nothing was sent. */
  request: { method: Method; url: string; headers: Record<string, string> } | null;
  statusCode: number | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  /** The body, if it was rendered for this attempt: later ones send it again. */
  renderedBody?: string;
  /** Why it was not delivered; null if it was. */
  error: string | null;
  duration: number;
};

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
  method?: Method;
  url: string;
  headers: Record<string, string>;
  payload: string;
};

/**
 * Posts a payload to a receiver. 2xx within 30 s is a success, whatever comes after the headers: at most 16 KiB or 1 s of it is read.
 * Redirects are failures. Never throws.
 */
export async function sendDelivery(sender: Sender, posted: Posted): Promise<DeliveryOutcome> {
  return (await sendRequest(sender, posted)).outcome;
}

/** The same with the text of the response: its first `maxBodyBytes`, by default 16 KiB. */
export async function sendRequest(
  { timeout = TIMEOUT_MS, connections, ...sender }: Sender,
  { endpointId, method = 'POST', url, headers, payload }: Posted,
  maxBodyBytes = KEPT_BODY_BYTES,
): Promise<{ outcome: DeliveryOutcome; text: string }> {
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
      ...(connections ? { kept: { connections, owner: endpointId } } : {}),
    });
    const delivered = response.statusCode >= 200 && response.statusCode < 300;
    const outcome = {
      delivered,
      request,
      statusCode: response.statusCode,
      responseHeaders: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, storableText(String(value))]),
      ),
      responseBody: readText(response, KEPT_BODY_BYTES),
      error: delivered ? null : `responded with ${response.statusCode}, expected 2xx`,
      duration: duration(),
    };
    return { outcome, text: readText(response, maxBodyBytes) };
  } catch (error) {
    const statusCode = error instanceof NetError ? (error.progress?.statusCode ?? null) : null;
    const failed = { delivered: false, request, statusCode, responseHeaders: null, responseBody: null };
    const problem = storableText(describeError(error), MAX_ERROR_LENGTH);
    return { outcome: { ...failed, error: problem, duration: duration() }, text: '' };
  }
}

/** The beginning of a response body as text, without a character split by the limit. */
function readText({ body, truncated }: Pick<GuardedResponse, 'body' | 'truncated'>, bytes: number): string {
  const stream = truncated || body.length > bytes;
  return storableText(
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(body.subarray(0, bytes), { stream }),
  );
}
