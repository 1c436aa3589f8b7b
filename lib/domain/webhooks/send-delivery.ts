import type { SecureContext } from 'node:tls';
import { describeError } from '@/lib/core/errors';
import { storableText } from '@/lib/core/storable-text';
import { type GuardedResponse, requestGuarded } from '@/lib/platform/net/http-request';
import type { KeptConnections } from '@/lib/platform/net/kept-connections';
import { NetError } from '@/lib/platform/net/net-error';
import type { Resolver } from '@/lib/platform/net/resolve';
import type { TargetPolicy } from '@/lib/platform/net/target-policy';

const MINUTE = 60_000;

/** Waits before each retry, in milliseconds, counted from the failure before it (api.md, "Delivery and retry rules"). */
export const RETRY_DELAYS: readonly number[] = [1, 5, 30, 120, 1440].map((minutes) => minutes * MINUTE);

/** api.md: the delivery timeout. */
const TIMEOUT_MS = 30_000;
/** decisions.md: how much of an answer is kept. */
const KEPT_BODY_BYTES = 16 * 1024;
const MAX_ERROR_LENGTH = 500;

/** What a receiver made of one try. */
export type DeliveryOutcome = {
  delivered: boolean;
  /** What was asked; null: nothing was sent. */
  request: { url: string; headers: Record<string, string> } | null;
  statusCode: number | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  /** Why it was not delivered, in words; null when it was. */
  error: string | null;
  duration: number;
};

/** How requests go out; the same guard as for probes. */
export type Sender = {
  policy: TargetPolicy;
  resolver?: Resolver;
  /** Connections that stay open between tries; without it each try has its own. */
  connections?: KeptConnections;
  /** Milliseconds for a whole try; 30 s unless set. */
  timeout?: number;
  /** The authorities to trust instead of Node's. */
  secureContext?: SecureContext;
};

/** What is posted, and on behalf of which endpoint: no two share a connection. */
export type Posted = { endpointId: string; url: string; headers: Record<string, string>; payload: string };

/** Posts a payload to a receiver. 2xx within 30 s is success; redirects are not followed and fail. Never throws. */
export async function sendDelivery(
  { timeout = TIMEOUT_MS, connections, ...sender }: Sender,
  { endpointId, url, headers, payload }: Posted,
): Promise<DeliveryOutcome> {
  const begun = performance.now();
  const request = { url, headers };
  const duration = () => Math.round(performance.now() - begun);
  try {
    const answer = await requestGuarded({
      ...sender,
      url,
      method: 'POST',
      headers,
      body: payload,
      deadline: timeout,
      maxBodyBytes: KEPT_BODY_BYTES,
      ...(connections ? { kept: { connections, owner: endpointId } } : {}),
    });
    const delivered = answer.statusCode >= 200 && answer.statusCode < 300;
    return {
      delivered,
      request,
      statusCode: answer.statusCode,
      responseHeaders: Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, storableText(String(value))]),
      ),
      responseBody: readBody(answer),
      error: delivered ? null : `responded with ${answer.statusCode}, expected 2xx`,
      duration: duration(),
    };
  } catch (error) {
    const statusCode = error instanceof NetError ? (error.progress?.statusCode ?? null) : null;
    const failed = { delivered: false, request, statusCode, responseHeaders: null, responseBody: null };
    return { ...failed, error: storableText(describeError(error), MAX_ERROR_LENGTH), duration: duration() };
  }
}

/** What the receiver sent, without the part of a character that the limit cut off. */
function readBody({ body, truncated }: Pick<GuardedResponse, 'body' | 'truncated'>): string {
  return storableText(new TextDecoder('utf-8', { ignoreBOM: true }).decode(body, { stream: truncated }));
}

/** When to try again after `failures` failed tries, the last of them at `failedAt`; null when the schedule is used up. */
export function nextAttemptAt(failures: number, failedAt: Date): Date | null {
  const delay = RETRY_DELAYS[failures - 1];
  return delay === undefined ? null : new Date(failedAt.getTime() + delay);
}
