import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { recoverDeliveries } from '@/lib/domain/webhooks/resend-deliveries';
import { beginDeliveryStory, type DeliveryStory, START } from '@/lib/engine/testing/delivery-story';
import { useTestDatabase } from '@/lib/testing/database';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';

const DAY = 86_400_000;
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

/** Lets one delivery fail permanently: more than a day passes. */
async function failOnce(story: DeliveryStory): Promise<void> {
  await story.emit();
  await story.sendToTheEnd();
}

/** Five days of failures only, with three failed deliveries, up to the moment before the last attempt. */
async function failForFiveDays(story: DeliveryStory): Promise<void> {
  for (let delivery = 0; delivery < 3; delivery++) await failOnce(story);
  await story.emit();
  story.clock.set(new Date(START.getTime() + 5 * DAY));
}

describe('an endpoint', () => {
  it('is failing from its first failed attempt, and active again with the next success', async () => {
    const story = await begin(500);
    await story.emit();
    await story.send();
    expect(await story.webhook()).toMatchObject({ status: 'failing', failingSince: START.toISOString() });
    story.clock.advance(60_000);
    await story.send();
    expect(await story.webhook()).toMatchObject({ status: 'failing', failingSince: START.toISOString() });
    receiver.respondWith(200);
    story.clock.advance(300_000);
    await story.send();
    expect(await story.webhook()).toMatchObject({ status: 'active', failingSince: null, enabled: true });
  });

  it('is disabled after five days of failures only, with three failed deliveries', async () => {
    const story = await begin(500);
    await failForFiveDays(story);
    expect(await story.webhook()).toMatchObject({ enabled: true, status: 'failing', autoDisabledAt: null });
    await story.send();
    expect(await story.webhook()).toMatchObject({
      enabled: false,
      status: 'disabled',
      autoDisabledAt: story.clock.now().toISOString(),
    });
  });

  it('is not disabled before five days are over, however many deliveries failed', async () => {
    const story = await begin(500);
    for (let delivery = 0; delivery < 4; delivery++) await failOnce(story);
    expect(story.clock.now().getTime()).toBeLessThan(START.getTime() + 5 * DAY);
    expect(await story.webhook()).toMatchObject({ enabled: true, status: 'failing' });
  });

  it('is not disabled for fewer than three failed deliveries, however long it takes', async () => {
    const story = await begin(500);
    await failOnce(story);
    story.clock.advance(9 * DAY);
    await failOnce(story);
    expect(await story.webhook()).toMatchObject({ enabled: true, status: 'failing' });
  });

  it('is not disabled if one attempt succeeded in between', async () => {
    const story = await begin(500);
    await failOnce(story);
    receiver.respondWith(200);
    await story.emit();
    await story.send();
    receiver.respondWith(500);
    await failForFiveDays(story);
    await story.send();
    expect(await story.webhook()).toMatchObject({ enabled: true, status: 'failing' });
  });

  it('that was disabled gets nothing more: its pending deliveries end', async () => {
    const story = await begin(500);
    await failForFiveDays(story);
    const now = story.clock.now();
    const { id: endpointId } = story.endpoint;
    const late = new Date(now.getTime() + DAY);
    await story.emit();
    const other = await story.delivery();
    await database.db.delivery.update({ where: { id: other.id }, data: { nextAttemptAt: late } });
    await story.send();
    const sent = story.requests().length;
    expect(await story.webhook()).toMatchObject({ status: 'disabled' });
    expect(await database.db.delivery.findUnique({ where: { id: other.id } })).toMatchObject({
      status: 'failed',
      reason: 'endpoint_disabled',
      attempts: 0,
      settledAt: now,
    });
    // The delivery whose attempt disabled the endpoint had another one pending; it ends at the next poll.
    await story.send();
    expect(await database.db.delivery.count({ where: { endpointId, status: 'pending' } })).toBe(0);
    expect(story.requests()).toHaveLength(sent);
  });

  it('that was disabled for failing can recover missed deliveries once it is enabled again', async () => {
    const story = await begin(500);
    await failForFiveDays(story);
    await story.send();
    story.clock.advance(DAY);
    await story.emit();
    expect(await story.delivery()).toMatchObject({
      status: 'failed',
      reason: 'endpoint_disabled',
      attempts: 0,
    });

    receiver.respondWith(200);
    const since = story.clock.now();
    const enabled = await updateWebhook(story.ctx, story.endpoint.id, { enabled: true });
    expect(enabled).toMatchObject({ status: 'active', failingSince: null, autoDisabledAt: null });
    expect(await recoverDeliveries(story.ctx, story.endpoint.id, { since })).toEqual({ queued: 1 });
    await story.send();
    expect(await story.delivery()).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('that was manually disabled misses events without a record', async () => {
    const story = await begin(200);
    await updateWebhook(story.ctx, story.endpoint.id, { enabled: false });
    await story.emit();
    expect(await database.db.delivery.count({ where: { endpointId: story.endpoint.id } })).toBe(0);
  });

  it('stays failing when its description changes, and is reset when its URL changes', async () => {
    const story = await begin(500);
    await story.emit();
    await story.send();
    const renamed = await updateWebhook(story.ctx, story.endpoint.id, { description: 'x', enabled: true });
    expect(renamed).toMatchObject({ status: 'failing', failingSince: START.toISOString() });
    const moved = await updateWebhook(story.ctx, story.endpoint.id, { url: `${receiver.url}/new` });
    expect(moved).toMatchObject({ status: 'active', failingSince: null });
  });
});
