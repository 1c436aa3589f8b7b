import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteWebhook, updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { getDelivery } from '@/lib/domain/webhooks/read-deliveries';
import { recoverDeliveries, replayDelivery, testWebhook } from '@/lib/domain/webhooks/resend-deliveries';
import { beginDeliveryStory, START } from '@/lib/engine/testing/delivery-story';
import { useTestDatabase } from '@/lib/testing/database';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';

const database = useTestDatabase();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

async function begin(status: number) {
  receiver.respondWith(status);
  return beginDeliveryStory(database.db, receiver);
}

describe('replaying a delivery', () => {
  it('sends the same id and bytes again, recorded as a separate attempt', async () => {
    const story = await begin(200);
    await story.emit();
    await story.send();
    const { id } = await story.delivery();
    story.clock.advance(3_600_000);
    expect(await replayDelivery(story.ctx, id)).toMatchObject({
      status: 'delivered',
      manualAttemptAt: story.clock.now().toISOString(),
    });
    await story.send();
    const [first, second, ...others] = story.requests();
    expect(others).toEqual([]);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['x-service-delivery-id']).toBe(id);
    expect(second?.headers['x-service-timestamp']).toBe(first?.headers['x-service-timestamp']);
    expect(await getDelivery(story.ctx, id)).toMatchObject({
      status: 'delivered',
      manualAttemptAt: null,
      tries: [
        { attempt: 1, manual: false },
        { attempt: 2, manual: true, statusCode: 200 },
      ],
    });
  });

  it('delivers a failed delivery when it succeeds', async () => {
    const story = await begin(500);
    await story.emit();
    await story.sendToTheEnd();
    const { id, status } = await story.delivery();
    expect(status).toBe('failed');
    receiver.respondWith(200);
    await replayDelivery(story.ctx, id);
    await story.send();
    expect(await story.delivery()).toMatchObject({ status: 'delivered', reason: null, attempts: 7 });
    expect(await story.webhook()).toMatchObject({ status: 'active', failingSince: null });
  });

  it('changes no state when it fails: failed stays failed, delivered stays delivered', async () => {
    const failed = await begin(500);
    await failed.emit();
    await failed.sendToTheEnd();
    const before = await failed.delivery();
    const webhook = await failed.webhook();
    await replayDelivery(failed.ctx, before.id);
    await failed.send();
    const { attemptLog, ...after } = await failed.delivery();
    expect(after).toMatchObject({ status: 'failed', reason: 'exhausted', failures: 6, attempts: 7 });
    expect(after.settledAt).toEqual(before.settledAt);
    expect(attemptLog.at(-1)).toMatchObject({ manual: true, statusCode: 500 });
    expect(await failed.webhook()).toEqual(webhook);

    const delivered = await begin(200);
    await delivered.emit();
    await delivered.send();
    receiver.respondWith(500);
    await replayDelivery(delivered.ctx, (await delivered.delivery()).id);
    await delivered.send();
    expect(await delivered.delivery()).toMatchObject({ status: 'delivered', failures: 0, attempts: 2 });
    expect(await delivered.webhook()).toMatchObject({ status: 'active' });
  });

  it('keeps the schedule of a pending delivery when it fails, and ends it when it succeeds', async () => {
    const story = await begin(500);
    await story.emit();
    await story.send();
    const { id, nextAttemptAt } = await story.delivery();
    story.clock.advance(30_000);
    await replayDelivery(story.ctx, id);
    await story.send();
    expect(await story.delivery()).toMatchObject({ status: 'pending', failures: 1, nextAttemptAt });
    receiver.respondWith(200);
    await replayDelivery(story.ctx, id);
    await story.send();
    expect(await story.delivery()).toMatchObject({ status: 'delivered', nextAttemptAt: null });
    story.clock.advance(60_000);
    await story.send();
    expect(story.requests()).toHaveLength(3);
  });

  it('is one attempt however often it was requested before it started', async () => {
    const story = await begin(200);
    await story.emit();
    await story.send();
    const { id } = await story.delivery();
    await Promise.all([replayDelivery(story.ctx, id), replayDelivery(story.ctx, id)]);
    await story.send();
    await story.send();
    expect(story.requests()).toHaveLength(2);
  });

  it('is repeated when the worker crashed during it', async () => {
    const story = await begin(200);
    await story.emit();
    await story.send();
    const { id } = await story.delivery();
    await replayDelivery(story.ctx, id);
    await database.db.delivery.update({
      where: { id },
      data: { claimedBy: 'wrk_dead', leaseUntil: new Date(START.getTime() + 40_000), attempts: 2 },
    });
    await story.send();
    expect(story.requests()).toHaveLength(1);
    story.clock.advance(40_001);
    await story.send();
    expect(story.requests()).toHaveLength(2);
    expect(await story.delivery()).toMatchObject({ attempts: 3, manualAttemptAt: null, leaseUntil: null });
  });

  it('is rejected for a disabled or deleted endpoint', async () => {
    const story = await begin(200);
    await story.emit();
    await story.send();
    const { id } = await story.delivery();
    await updateWebhook(story.ctx, story.endpoint.id, { enabled: false });
    await expect(replayDelivery(story.ctx, id)).rejects.toMatchObject({ code: 'ENDPOINT_DISABLED' });
    await deleteWebhook(story.ctx, story.endpoint.id);
    await expect(replayDelivery(story.ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a test send', () => {
  it('is sent once, signed like an event, regardless of subscriptions', async () => {
    const story = await begin(204);
    await updateWebhook(story.ctx, story.endpoint.id, { events: ['monitor.up'] });
    const sent = await testWebhook(story.ctx, story.endpoint.id);
    expect(sent).toMatchObject({ event: 'webhook.test', status: 'pending', attempts: 0, tries: [] });
    await story.send();
    expect(story.requests()[0]).toMatchObject({
      headers: { 'x-service-event': 'webhook.test', 'x-service-delivery-id': sent.id },
      body: sent.payloadText,
    });
    expect(await getDelivery(story.ctx, sent.id)).toMatchObject({
      status: 'delivered',
      payload: { event: 'webhook.test', webhook: { id: story.endpoint.id } },
      tries: [{ attempt: 1, manual: true, statusCode: 204 }],
    });
  });

  it('has one attempt; its failure does not affect the endpoint', async () => {
    const story = await begin(500);
    const { id } = await testWebhook(story.ctx, story.endpoint.id);
    await story.send();
    expect(await getDelivery(story.ctx, id)).toMatchObject({
      status: 'failed',
      reason: 'exhausted',
      nextAttemptAt: null,
      manualAttemptAt: null,
    });
    expect(await story.webhook()).toMatchObject({ status: 'active', failingSince: null });
    story.clock.advance(86_400_000);
    await story.send();
    expect(story.requests()).toHaveLength(1);
  });

  it('precedes pending deliveries', async () => {
    const story = await begin(200);
    for (let event = 0; event < 6; event++) await story.emit();
    story.clock.advance(1000);
    await testWebhook(story.ctx, story.endpoint.id);
    await story.send();
    const kinds = story.requests().map(({ headers }) => headers['x-service-event']);
    expect(kinds).toHaveLength(7);
    expect(kinds.slice(0, 5), 'among the first five, which are sent immediately').toContain('webhook.test');
  });

  it('is rejected for a disabled endpoint, and ends if it is disabled before the attempt', async () => {
    const story = await begin(200);
    const { id } = await testWebhook(story.ctx, story.endpoint.id);
    await updateWebhook(story.ctx, story.endpoint.id, { enabled: false });
    await story.send();
    expect(await getDelivery(story.ctx, id)).toMatchObject({ status: 'failed', reason: 'endpoint_disabled' });
    await expect(testWebhook(story.ctx, story.endpoint.id)).rejects.toMatchObject({
      code: 'ENDPOINT_DISABLED',
    });
    expect(story.requests()).toEqual([]);
  });
});

describe('recovering', () => {
  it('restarts the schedule for what failed since a moment, and for nothing else', async () => {
    const story = await begin(500);
    await story.emit();
    await story.sendToTheEnd();
    const { id: older } = await story.delivery();
    const since = story.clock.now();
    await story.emit();
    await story.sendToTheEnd();
    const { id: newer } = await story.delivery();
    await testWebhook(story.ctx, story.endpoint.id);
    await story.send();

    expect(await recoverDeliveries(story.ctx, story.endpoint.id, { since })).toEqual({ queued: 1 });
    receiver.respondWith(200);
    await story.send();
    expect(await getDelivery(story.ctx, newer)).toMatchObject({ status: 'delivered', attempts: 7 });
    expect(await getDelivery(story.ctx, older)).toMatchObject({ status: 'failed' });
    expect(await recoverDeliveries(story.ctx, story.endpoint.id, { since: START })).toEqual({ queued: 1 });
  });

  it('is rejected while the endpoint is disabled', async () => {
    const story = await begin(200);
    await updateWebhook(story.ctx, story.endpoint.id, { enabled: false });
    const recovering = recoverDeliveries(story.ctx, story.endpoint.id, { since: START });
    await expect(recovering).rejects.toMatchObject({ code: 'ENDPOINT_DISABLED' });
  });
});
