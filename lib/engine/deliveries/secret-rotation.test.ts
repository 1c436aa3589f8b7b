import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finishRotation, rotateSecret } from '@/lib/domain/webhooks/change-webhook';
import { beginDeliveryStory, type DeliveryStory } from '@/lib/engine/testing/delivery-story';
import { useTestDatabase } from '@/lib/testing/database';
import { type ReceivedRequest, type Receiver, startReceiver } from '@/lib/testing/receiver';

const HOUR = 3_600_000;
const database = useTestDatabase();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** Sends one event and returns the received request. */
async function receive(story: DeliveryStory): Promise<ReceivedRequest> {
  await story.emit();
  await story.send();
  const request = story.requests().at(-1);
  if (!request) throw new Error('nothing was received');
  return request;
}

/** Whether a receiver that knows `secret` and checks only this header accepts the request. */
function verifies(secret: string, { headers, body }: ReceivedRequest, header: string): boolean {
  return headers[header] === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** How many signatures a Standard Webhooks verifier finds, and whether one matches `secret`. */
function standard(secret: string, { headers, body }: ReceivedRequest) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  const all = String(headers['webhook-signature']).split(' ');
  return { count: all.length, fits: all.includes(signature) };
}

const NOW = 'x-service-signature';
const NEXT = 'x-service-signature-next';

describe('rotating a secret', () => {
  it('works for a receiver with the old secret, with the new one, and with both', async () => {
    const story = await beginDeliveryStory(database.db, receiver);
    const { secret: old, id } = story.endpoint;
    const rotated = await rotateSecret(story.ctx, id, { immediate: false });
    expect(rotated.rotationEndsAt).toBe(new Date(story.clock.now().getTime() + 24 * HOUR).toISOString());

    const during = await receive(story);
    expect(verifies(old, during, NOW)).toBe(true);
    expect(verifies(rotated.secret, during, NEXT)).toBe(true);
    expect(standard(old, during)).toEqual({ count: 2, fits: true });
    expect(standard(rotated.secret, during)).toEqual({ count: 2, fits: true });

    expect(await finishRotation(story.ctx, id)).toMatchObject({ rotationEndsAt: null });
    const after = await receive(story);
    expect(verifies(rotated.secret, after, NOW)).toBe(true);
    expect(after.headers[NEXT]).toBeUndefined();
    expect(standard(old, after)).toEqual({ count: 1, fits: false });
    expect(standard(rotated.secret, after)).toEqual({ count: 1, fits: true });
  });

  it('ends automatically after 24 hours', async () => {
    const story = await beginDeliveryStory(database.db, receiver);
    const { secret: old, id } = story.endpoint;
    const { secret } = await rotateSecret(story.ctx, id, { immediate: false });
    story.clock.advance(24 * HOUR - 1);
    expect(verifies(old, await receive(story), NOW)).toBe(true);
    story.clock.advance(1);
    expect(verifies(secret, await receive(story), NOW)).toBe(true);
    expect(await story.webhook()).toMatchObject({ rotationEndsAt: null });
    const again = await rotateSecret(story.ctx, id, { immediate: false });
    const during = await receive(story);
    expect(verifies(secret, during, NOW)).toBe(true);
    expect(verifies(again.secret, during, NEXT)).toBe(true);
  });

  it('invalidates a leaked old secret immediately', async () => {
    const story = await beginDeliveryStory(database.db, receiver);
    const { secret } = await rotateSecret(story.ctx, story.endpoint.id, { immediate: true });
    const request = await receive(story);
    expect(verifies(secret, request, NOW)).toBe(true);
    expect(request.headers[NEXT]).toBeUndefined();
    expect(standard(story.endpoint.secret, request)).toEqual({ count: 1, fits: false });
  });

  it('replaces a new secret that was lost before use', async () => {
    const story = await beginDeliveryStory(database.db, receiver);
    const { secret: old, id } = story.endpoint;
    const lost = await rotateSecret(story.ctx, id, { immediate: false });
    const { secret } = await rotateSecret(story.ctx, id, { immediate: false });
    const request = await receive(story);
    expect(verifies(old, request, NOW)).toBe(true);
    expect(verifies(secret, request, NEXT)).toBe(true);
    expect(standard(lost.secret, request)).toEqual({ count: 2, fits: false });
  });

  it('signs a retry with the secrets valid at that time', async () => {
    receiver.respondWith(500);
    const story = await beginDeliveryStory(database.db, receiver);
    await receive(story);
    const { secret } = await rotateSecret(story.ctx, story.endpoint.id, { immediate: true });
    story.clock.advance(60_000);
    await story.send();
    receiver.respondWith(200);
    const [first, second] = story.requests();
    if (!first || !second) throw new Error('two attempts were expected');
    expect(second.body).toBe(first.body);
    expect(verifies(secret, second, NOW)).toBe(true);
  });

  it('changes nothing when there is no rotation to finish', async () => {
    const story = await beginDeliveryStory(database.db, receiver);
    await finishRotation(story.ctx, story.endpoint.id);
    expect(verifies(story.endpoint.secret, await receive(story), NOW)).toBe(true);
  });
});
