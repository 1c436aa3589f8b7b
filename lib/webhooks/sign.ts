import { createHmac, randomBytes } from 'node:crypto';
import type { EventKind } from '@/lib/schemas/webhook';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function generateWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export type Signed = {
  deliveryId: string;
  attempt: number;
  kind: EventKind;
  /** The exact text of the body. */
  payload: string;
  occurredAt: Date;
  sentAt: Date;
  secret: string;
  serviceName: string;
};

/** The headers of one try: those of api.md, and those of the Standard Webhooks specification beside them. */
export function deliveryHeaders(signed: Signed): Record<string, string> {
  const { deliveryId, attempt, kind, payload, occurredAt, sentAt, secret, serviceName } = signed;
  const sentSeconds = unixSeconds(sentAt);
  return {
    'Content-Type': 'application/json',
    'User-Agent': `${serviceName}-Webhook/1.0`,
    'X-Service-Event': kind,
    'X-Service-Signature': `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}`,
    'X-Service-Timestamp': unixSeconds(occurredAt),
    'X-Service-Delivery-Id': deliveryId,
    'X-Service-Attempt': String(attempt),
    'webhook-id': deliveryId,
    'webhook-timestamp': sentSeconds,
    'webhook-signature': standardSignature(secret, `${deliveryId}.${sentSeconds}.${payload}`),
  };
}

/** Standard Webhooks v1: the key is the base64 behind the prefix, over id, time of the try and body. */
function standardSignature(secret: string, signedText: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(signedText).digest('base64')}`;
}

function unixSeconds(at: Date): string {
  return String(Math.floor(at.getTime() / 1000));
}
