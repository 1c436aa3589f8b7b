import { createHmac, randomBytes } from 'node:crypto';
import type { Keyring } from '@/lib/core/keyring';

/** The stored secrets of an endpoint. */
export type SealedSecrets = {
  secretSealed: Uint8Array;
  nextSecretSealed: Uint8Array | null;
  rotationEndsAt: Date | null;
};

/** The signing secret, and during a rotation the new one. */
export type SigningSecrets = { current: string; next: string | null };

/** How long the old secret keeps signing during a rotation, in milliseconds. */
export const ROTATION_MS = 24 * 3_600_000;
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function generateWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export type Signed = {
  eventId: string;
  deliveryId: string;
  attempt: number;
  kind: string;
  /** The exact body. */
  payload: string;
  occurredAt: Date;
  sentAt: Date;
  /** Null for messages to subscribers in a chat product. */
  secrets: SigningSecrets | null;
  serviceName: string;
};

/**
 * The headers of one attempt: our own and those of the Standard Webhooks specification. During a rotation `X-Service-Signature`
 * uses the old secret, `X-Service-Signature-Next` the new one, and `webhook-signature` both.
 */
export function deliveryHeaders(signed: Signed): Record<string, string> {
  const { eventId, deliveryId, attempt, kind, occurredAt, sentAt, serviceName } = signed;
  return {
    'Content-Type': 'application/json',
    'User-Agent': `${serviceName}-Webhook/1.0`,
    'X-Service-Event': kind,
    'X-Service-Event-Id': eventId,
    'X-Service-Timestamp': unixSeconds(occurredAt),
    'X-Service-Delivery-Id': deliveryId,
    'X-Service-Attempt': String(attempt),
    'webhook-id': deliveryId,
    'webhook-timestamp': unixSeconds(sentAt),
    ...signatures(signed),
  };
}

function signatures({ deliveryId, payload, sentAt, secrets }: Signed): Record<string, string> {
  if (secrets === null) return {};
  const { current, next } = secrets;
  const signedText = `${deliveryId}.${unixSeconds(sentAt)}.${payload}`;
  const valid = next === null ? [current] : [current, next];
  return {
    'X-Service-Signature': serviceSignature(current, payload),
    ...(next === null ? {} : { 'X-Service-Signature-Next': serviceSignature(next, payload) }),
    'webhook-signature': valid.map((secret) => standardSignature(secret, signedText)).join(' '),
  };
}

/** Our own signature of the body; the key is the secret including its prefix. */
function serviceSignature(secret: string, payload: string): string {
  return `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}`;
}

/** Standard Webhooks v1 signature of ID, time of the attempt and body; the key is the Base64 part of the secret. */
function standardSignature(secret: string, signedText: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(signedText).digest('base64')}`;
}

function unixSeconds(at: Date): string {
  return String(Math.floor(at.getTime() / 1000));
}

/** Whether two secrets are valid at `now`. A rotation ends by time, without a write. */
export function isRotating({ rotationEndsAt }: Pick<SealedSecrets, 'rotationEndsAt'>, now: Date): boolean {
  return rotationEndsAt !== null && rotationEndsAt > now;
}

/** The secrets of the endpoint `id` that are valid at `now`. */
export function openSigningSecrets(
  keyring: Keyring,
  id: string,
  sealed: SealedSecrets,
  now: Date,
): SigningSecrets {
  const { secretSealed, nextSecretSealed } = sealed;
  const next = nextSecretSealed && keyring.open(nextSecretSealed, id);
  if (next !== null && !isRotating(sealed, now)) return { current: next, next: null };
  return { current: keyring.open(secretSealed, id), next };
}
