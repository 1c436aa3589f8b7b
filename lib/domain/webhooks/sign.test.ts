import { describe, expect, it } from 'vitest';
import { createKeyring } from '@/lib/core/keyring';
import {
  deliveryHeaders,
  generateWebhookSecret,
  isRotating,
  openSigningSecrets,
  ROTATION_MS,
  type Signed,
  type SigningSecrets,
} from './sign';

/** Keys of known bytes. All signatures below were computed with OpenSSL. */
const OLD = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const NEW = 'whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=';
const OURS_OLD = 'sha256=9ee85607646f30be9128986c9acc0f1cfe20ab065bde419fcca8b512fc904779';
const OURS_NEW = 'sha256=00c9c0bb16e1150d5adf3f591a8e4535ec1484af20881f5d15613f205a1676a9';
const STANDARD_OLD = 'v1,OTpQGb9Cnw0271lme4ULscqcoJ9azsOYVKKOI84WQFQ=';
const STANDARD_NEW = 'v1,+tlwrjboYOoDLFaAlh4LLaQxHSVsv71dp5SAYGnfw4U=';

const signed: Signed = {
  eventId: 'evt_01jpa7k3q8f2v9x4m6t0r5w1ze',
  deliveryId: 'del_01jpa7k3q8f2v9x4m6t0r5w1ze',
  attempt: 2,
  kind: 'monitor.down',
  payload: '{"event":"monitor.down"}',
  occurredAt: new Date('2026-03-01T11:00:00.999Z'),
  sentAt: new Date('2026-03-01T12:00:00.999Z'),
  secrets: null,
  serviceName: 'Pharos',
};
const headersWith = (secrets: SigningSecrets | null) => deliveryHeaders({ ...signed, secrets });

describe('the headers of an attempt', () => {
  const unsigned = {
    'Content-Type': 'application/json',
    'User-Agent': 'Pharos-Webhook/1.0',
    'X-Service-Event': 'monitor.down',
    'X-Service-Event-Id': signed.eventId,
    'X-Service-Timestamp': '1772362800',
    'X-Service-Delivery-Id': 'del_01jpa7k3q8f2v9x4m6t0r5w1ze',
    'X-Service-Attempt': '2',
    'webhook-id': 'del_01jpa7k3q8f2v9x4m6t0r5w1ze',
    'webhook-timestamp': '1772366400',
  };

  it('name the event, the delivery and the attempt, and sign nothing without a secret', () => {
    expect(headersWith(null)).toEqual(unsigned);
  });

  it('sign the body, and by the standard also ID and time of the attempt', () => {
    expect(headersWith({ current: OLD, next: null })).toEqual({
      ...unsigned,
      'X-Service-Signature': OURS_OLD,
      'webhook-signature': STANDARD_OLD,
    });
  });

  it('carry the signatures of both secrets during a rotation', () => {
    expect(headersWith({ current: OLD, next: NEW })).toEqual({
      ...unsigned,
      'X-Service-Signature': OURS_OLD,
      'X-Service-Signature-Next': OURS_NEW,
      'webhook-signature': `${STANDARD_OLD} ${STANDARD_NEW}`,
    });
  });
});

describe('the secrets of an endpoint', () => {
  const keyring = createKeyring('x'.repeat(32));
  const ID = 'whk_01jpa7k3q8f2v9x4m6t0r5w1ze';
  const START = new Date('2026-03-01T12:00:00.000Z');
  const later = (ms: number) => new Date(START.getTime() + ms);
  const rotating = {
    secretSealed: keyring.seal(OLD, ID),
    nextSecretSealed: keyring.seal(NEW, ID),
    rotationEndsAt: later(ROTATION_MS),
  };

  it('are 32 random bytes after a prefix', () => {
    const [one, other] = [generateWebhookSecret(), generateWebhookSecret()];
    expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(other).not.toBe(one);
  });

  it('are both valid for 24 hours of a rotation', () => {
    expect(ROTATION_MS).toBe(86_400_000);
    expect(isRotating(rotating, later(86_399_999))).toBe(true);
    expect(openSigningSecrets(keyring, ID, rotating, later(86_399_999))).toEqual({ current: OLD, next: NEW });
  });

  it('end with the new one alone, without a write', () => {
    expect(isRotating(rotating, later(86_400_000))).toBe(false);
    expect(openSigningSecrets(keyring, ID, rotating, later(86_400_000))).toEqual({
      current: NEW,
      next: null,
    });
  });

  it('are one without a rotation', () => {
    const single = { ...rotating, nextSecretSealed: null, rotationEndsAt: null };
    expect(isRotating(single, START)).toBe(false);
    expect(openSigningSecrets(keyring, ID, single, START)).toEqual({ current: OLD, next: null });
  });
});
