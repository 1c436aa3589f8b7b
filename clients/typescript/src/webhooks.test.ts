import { createHmac } from 'node:crypto';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { deliveryHeaders, generateWebhookSecret, type SigningSecrets } from '@/lib/domain/webhooks/sign';
import { type MonitorDownEvent, type ReceivedWebhook, verifyWebhook, type WebhookEvent } from './index';

const secret = generateWebhookSecret();
const other = generateWebhookSecret();
const sentAt = new Date('2026-03-01T10:00:00Z');
const now = sentAt.getTime() / 1000;
const payload = JSON.stringify({
  id: 'evt_1',
  event: 'monitor.down',
  causedBy: null,
  timestamp: '2026-03-01T09:59:59.000Z',
  monitor: { id: 'mon_1', name: 'Zahlungs-Schnittstelle ✓' },
});

/** The headers of a delivery as the service signs it. */
function sign(body: string, secrets: SigningSecrets = { current: secret, next: null }) {
  return deliveryHeaders({
    eventId: 'evt_1',
    deliveryId: 'del_1',
    attempt: 1,
    kind: 'monitor.down',
    payload: body,
    occurredAt: sentAt,
    sentAt,
    secrets,
    serviceName: 'Pharos',
  });
}

const headers = sign(payload);
const verify = (changes: Partial<ReceivedWebhook> = {}) =>
  verifyWebhook({ body: payload, headers, secret, now, ...changes });
const codeOf = (changes: Partial<ReceivedWebhook>) => verify(changes).catch(({ code }) => code);

describe('a webhook request', () => {
  it('that the service signed is an event, whose type its name decides', async () => {
    const event = await verify();
    expect(event).toEqual(JSON.parse(payload));
    if (event.event !== 'monitor.down') throw new Error(`it is ${event.event}`);
    expectTypeOf(event).toEqualTypeOf<MonitorDownEvent>();
    expect(event.monitor.name).toBe('Zahlungs-Schnittstelle ✓');
    expectTypeOf<Extract<WebhookEvent, { event: 'unknown' }>['kind']>().toEqualTypeOf<string>();
  });

  it('is read from text or bytes, and from the headers of fetch or of Node.js', async () => {
    const bytes = new TextEncoder().encode(payload);
    const nodeHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    for (const body of [payload, bytes, bytes.buffer, Buffer.from(payload)]) {
      for (const given of [headers, nodeHeaders, new Headers(headers)]) {
        expect(await verify({ body, headers: given })).toMatchObject({ id: 'evt_1' });
      }
    }
  });

  it('is accepted with either secret during a rotation, and with any secret of a list', async () => {
    const rotating = sign(payload, { current: secret, next: other });
    expect(rotating['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(await verify({ headers: rotating, secret: other })).toMatchObject({ id: 'evt_1' });
    expect(await verify({ headers: rotating })).toMatchObject({ id: 'evt_1' });
    expect(await verify({ secret: [other, secret] })).toMatchObject({ id: 'evt_1' });
  });

  it('with another secret, body, ID, time or signature is rejected', async () => {
    const tampered = payload.replace('mon_1', 'mon_2');
    expect(await codeOf({ secret: other })).toBe('SIGNATURE_MISMATCH');
    expect(await codeOf({ secret: [] })).toBe('SIGNATURE_MISMATCH');
    expect(await codeOf({ body: tampered })).toBe('SIGNATURE_MISMATCH');
    for (const [name, value] of Object.entries({
      'webhook-id': 'del_2',
      'webhook-timestamp': String(now - 1),
      'webhook-signature': 'v1,AAAA v2,x v1,%%% v1',
    })) {
      expect(await codeOf({ headers: { ...headers, [name]: value } }), name).toBe('SIGNATURE_MISMATCH');
    }
  });

  it('is rejected if it is too old, or from the future', async () => {
    expect(await verify({ now: now + 300 })).toMatchObject({ id: 'evt_1' });
    expect(await verify({ now: now + 900, tolerance: 900 })).toMatchObject({ id: 'evt_1' });
    expect(await codeOf({ now: now + 301 })).toBe('TIMESTAMP_TOO_FAR');
    expect(await codeOf({ now: now - 301 })).toBe('TIMESTAMP_TOO_FAR');
    expect(await codeOf({ now: undefined })).toBe('TIMESTAMP_TOO_FAR');
    for (const time of ['NaN', '1e9', '-1', ' ']) {
      expect(await codeOf({ headers: { ...headers, 'webhook-timestamp': time } }), time).toBe(
        'TIMESTAMP_TOO_FAR',
      );
    }
  });

  it('that is not signed names the missing header', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const { [name]: _, ...others } = headers;
      await expect(verify({ headers: others })).rejects.toThrow(`The header ${name} is missing`);
    }
  });

  it('does not blame the sender for a secret that is none', async () => {
    for (const wrong of ['', 'whsec_', 'ph_live_1', 'whsec_ä', 'whsec_A']) {
      expect(await codeOf({ secret: wrong }), wrong).toBe('INVALID_SECRET');
    }
    expect(await verify({ secret: ` ${secret}\n` })).toMatchObject({ id: 'evt_1' });
  });

  it('needs the body as it was received', async () => {
    // As a receiver in JavaScript would.
    const parsed = JSON.parse(payload);
    await expect(verify({ body: parsed })).rejects.toThrow('not what was parsed from it');
  });

  it('of a kind that came later is an unknown event with its whole body', async () => {
    const body = JSON.stringify({ id: 'evt_2', event: 'monitor.paused', timestamp: 'later', more: 1 });
    expect(await verify({ body, headers: sign(body) })).toEqual({
      event: 'unknown',
      kind: 'monitor.paused',
      id: 'evt_2',
      timestamp: 'later',
      payload: JSON.parse(body),
    });
  });

  it.each(['', '[]', 'null', '{"event":1}', '{"text":"Shop is down"}'])(
    'with the signed body %s is no event',
    async (body) => {
      expect(await codeOf({ body, headers: sign(body) })).toBe('INVALID_BODY');
    },
  );

  it('cannot keep the receiver busy with many signatures', async () => {
    const valid = headers['webhook-signature'] ?? '';
    const wrong = `v1,${createHmac('sha256', 'x').update('').digest('base64')}`;
    const many = [...Array.from({ length: 10_000 }, () => wrong), valid].join(' ');
    expect(await codeOf({ headers: { ...headers, 'webhook-signature': many } })).toBe('SIGNATURE_MISMATCH');
  });
});
