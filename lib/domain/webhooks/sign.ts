import { createHmac, randomBytes } from 'node:crypto';
import type { Keyring } from '@/lib/core/keyring';
import type { DeliveryKind } from '@/lib/schemas/delivery';

/** The secrets of an endpoint as its row holds them. */
export type SealedSecrets = {
  secretSealed: Uint8Array;
  nextSecretSealed: Uint8Array | null;
  rotationEndsAt: Date | null;
};

/** The secret that signs, and while it is rotated the new one beside it. */
export type SigningSecrets = { current: string; next: string | null };

/** How long the old secret goes on signing after a rotation, in milliseconds, unless it is finished before. */
export const ROTATION_MS = 24 * 3_600_000;

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function generateWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export type Signed = {
  deliveryId: string;
  attempt: number;
  kind: DeliveryKind;
  /** The exact text of the body. */
  payload: string;
  occurredAt: Date;
  sentAt: Date;
  /** Null: it is not signed, as messages to chat products are not. */
  secrets: SigningSecrets | null;
  serviceName: string;
};

/**
 * The headers of one try: those of api.md, and those of the Standard Webhooks specification beside them. While the secret is
 * rotated, `X-Service-Signature` stays on the old one, `X-Service-Signature-Next` carries the new one, and
 * `webhook-signature` lists both.
 */
export function deliveryHeaders(signed: Signed): Record<string, string> {
  const { deliveryId, attempt, kind, occurredAt, sentAt, serviceName } = signed;
  return {
    'Content-Type': 'application/json',
    'User-Agent': `${serviceName}-Webhook/1.0`,
    'X-Service-Event': kind,
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

/** api.md: the key is the secret as it is shown, prefix included, over the body. */
function serviceSignature(secret: string, payload: string): string {
  return `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}`;
}

/** Standard Webhooks v1: the key is the base64 behind the prefix, over id, time of the try and body. */
function standardSignature(secret: string, signedText: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(signedText).digest('base64')}`;
}

function unixSeconds(at: Date): string {
  return String(Math.floor(at.getTime() / 1000));
}

/** Whether two secrets are valid at `now`. A rotation ends by time alone: nobody has to write anything then. */
export function isRotating({ rotationEndsAt }: Pick<SealedSecrets, 'rotationEndsAt'>, now: Date): boolean {
  return rotationEndsAt !== null && rotationEndsAt > now;
}

/** Opens the secrets of the endpoint `id` that are valid at `now`. */
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
