import webPush from 'web-push';
import { describeError } from '@/lib/core/errors';
import { storableText } from '@/lib/core/storable-text';
import { type ExchangeOptions, requestGuarded } from '@/lib/platform/net/http-request';
import type { TargetPolicy } from '@/lib/platform/net/target-policy';
import type { PushTarget } from '@/lib/schemas/push';

/** The VAPID keys of an installation (RFC 8292), in base64url. */
export type PushKeys = { publicKey: string; privateKey: string };

/** How requests to push services are sent. */
export type PushSender = Pick<ExchangeOptions, 'policy' | 'resolver' | 'secureContext'>;

/** A message for one browser. */
export type OutgoingPush = {
  target: PushTarget;
  /** Is encrypted for the browser: push services cannot read it. */
  payload: string;
  /** Replaces an earlier message with the same topic that is not delivered yet: 32 characters of base64url. */
  topic: string;
};

/** Who sends it: `contact` is a URL of https or mailto, by which push services can reach the operator. */
export type PushIdentity = { keys: PushKeys; contact: string };

/** The outcome of an attempt. */
export type PushOutcome =
  | { kind: 'accepted' }
  /** The browser does not want messages any more. */
  | { kind: 'gone' }
  /** The push service rejects this message for good. */
  | { kind: 'refused'; error: string }
  /** Retry, and not before so many milliseconds have passed. */
  | { kind: 'failed'; error: string; waitMs: number };

/** Push services are public: no subscription leads into the network of the operator, whatever monitors may check. */
const PUSH_TARGETS: TargetPolicy = { mode: 'public', allowedCidrs: [] };
export const PUSH_SENDER: PushSender = { policy: PUSH_TARGETS };

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 1024;
const MAX_ERROR = 500;
/** How long a push service keeps a message for a browser that is offline, in seconds. */
const KEPT_SECONDS = 86_400;
/** The longest that a push service can have us wait. */
const MAX_WAIT_MS = 3_600_000;

/** Creates the keys of an installation. */
export function createPushKeys(): PushKeys {
  return webPush.generateVAPIDKeys();
}

/** Encrypts a message and posts it to the push service of its browser, through the guard of the network. Never throws. */
export async function postPush(
  sender: PushSender,
  { keys, contact }: PushIdentity,
  { target, payload, topic }: OutgoingPush,
): Promise<PushOutcome> {
  let request: ReturnType<typeof webPush.generateRequestDetails>;
  try {
    request = webPush.generateRequestDetails(target, payload, {
      vapidDetails: { subject: contact, ...keys },
      contentEncoding: 'aes128gcm',
      TTL: KEPT_SECONDS,
      urgency: 'high',
      topic,
    });
  } catch (error) {
    return { kind: 'refused', error: `could not be encrypted: ${describeError(error)}` };
  }
  try {
    const { 'Content-Length': _, ...headers } = request.headers;
    const response = await requestGuarded({
      ...sender,
      url: target.endpoint,
      method: 'POST',
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body: request.body,
      deadline: TIMEOUT_MS,
      maxBodyBytes: MAX_RESPONSE_BYTES,
      successTailMs: 0,
    });
    return judge(response.statusCode, response.headers['retry-after']);
  } catch (error) {
    return { kind: 'failed', error: storableText(describeError(error), MAX_ERROR), waitMs: 0 };
  }
}

function judge(status: number, retryAfter: string | undefined): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const error = `the push service responded with ${status}`;
  if (status !== 429 && status < 500) return { kind: 'refused', error };
  const seconds = Number(retryAfter ?? 0);
  const waitMs = Number.isFinite(seconds) ? Math.min(Math.max(0, seconds * 1000), MAX_WAIT_MS) : 0;
  return { kind: 'failed', error, waitMs };
}
