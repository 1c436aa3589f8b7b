import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Wake } from '@/lib/core/time/wake';
import { deleteWebhook, updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { recoverDeliveries } from '@/lib/domain/webhooks/resend-deliveries';
import { beginDeliveryStory, type DeliveryStory, START } from '@/lib/engine/testing/delivery-story';
import { serveHttp } from '@/lib/platform/net/testing/servers';
import { useTestDatabase } from '@/lib/testing/database';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { awaitAttempts, drainDueDeliveries } from './drain-deliveries';
import { nextDeliveryAt } from './find-deliveries';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The schedule in api.md, "Delivery and retry rules", repeated here: a code change must not change it. */
const PROMISED = [1 * MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 24 * HOUR];
const database = useTestDatabase();

type Attempt = {
  id: string;
  body: string;
  attempt: string;
  occurredAt: string;
  startedAt: number;
  failedAt: number;
};

/**
 * Runs the worker loop over the whole life of a delivery instantly: instead of sleeping it advances the
 * clock, to a few seconds before the next attempt, and from there as the loop requests it.
 */
async function runToTheEnd({ clock, engine }: DeliveryStory): Promise<void> {
  const ended = new AbortController();
  const sleep: Wake['sleep'] = async (ms) => {
    await awaitAttempts(engine);
    const due = await engine.moments(nextDeliveryAt(new Date(0)));
    if (due === null) return ended.abort();
    const near = due.getTime() - 3 * SECOND;
    clock.set(new Date(Math.max(clock.now().getTime() + ms, near)));
  };
  const wake: Wake = { ring: () => undefined, rings: () => 0, sleep };
  const until = new Date(START.getTime() + 90 * 24 * HOUR);
  await drainDueDeliveries({ ...engine, wake }, { until, signal: ended.signal });
}

describe('a delivery that is never accepted', () => {
  it('is attempted six times, never early, never more than 5 % late, and always identical', async () => {
    const attempts: Attempt[] = [];
    // Every attempt takes a while, like one that times out: waits are counted from its end.
    const server = await serveHttp(async (request, response) => {
      const startedAt = story.clock.now().getTime();
      const body = await text(request);
      story.clock.advance(20 * SECOND);
      const { headers } = request;
      attempts.push({
        id: String(headers['x-service-delivery-id']),
        body,
        attempt: String(headers['x-service-attempt']),
        occurredAt: String(headers['x-service-timestamp']),
        startedAt,
        failedAt: story.clock.now().getTime(),
      });
      response.writeHead(500).end();
    });
    const story = await beginDeliveryStory(database.db, { url: server.url, requests: [] });
    await story.emit();
    await runToTheEnd(story);

    expect(attempts.map(({ attempt }) => attempt)).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(attempts[0]?.startedAt, 'the first immediately').toBe(START.getTime());
    for (const [index, promised] of PROMISED.entries()) {
      const waited = (attempts[index + 1]?.startedAt ?? 0) - (attempts[index]?.failedAt ?? 0);
      expect(waited, `retry ${index + 1} is not early`).toBeGreaterThanOrEqual(promised);
      expect(waited, `retry ${index + 1} is not late`).toBeLessThanOrEqual(promised * 1.05);
    }
    for (const what of ['id', 'body', 'occurredAt'] as const) {
      expect(new Set(attempts.map((one) => one[what])).size, what).toBe(1);
    }
    const delivery = await story.delivery();
    expect(delivery).toMatchObject({
      id: attempts[0]?.id,
      status: 'failed',
      reason: 'exhausted',
      failures: 6,
      nextAttemptAt: null,
    });
    expect(delivery.settledAt?.getTime()).toBe(attempts[5]?.failedAt);
    expect(delivery.attemptLog.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(500));
  });

  it('ends with the first successful attempt', async () => {
    let requests = 0;
    const server = await serveHttp((_request, response) => {
      requests += 1;
      response.writeHead(requests < 4 ? 500 : 200).end();
    });
    const story = await beginDeliveryStory(database.db, { url: server.url, requests: [] });
    await story.emit();
    await runToTheEnd(story);
    expect(requests).toBe(4);
    expect(await story.delivery()).toMatchObject({ status: 'delivered', attempts: 4, nextAttemptAt: null });
    expect(await story.webhook()).toMatchObject({ status: 'active', failingSince: null });
  });
});

describe('a delivery waiting for its retry', () => {
  async function waitForRetry(): Promise<{ story: DeliveryStory; receiver: Receiver }> {
    const receiver = await startReceiver();
    receiver.respondWith(500);
    const story = await beginDeliveryStory(database.db, receiver);
    await story.emit();
    await story.send();
    return { story, receiver };
  }

  it.each([
    ['endpoint_deleted', deleteWebhook],
    [
      'endpoint_disabled',
      (ctx: DeliveryStory['ctx'], id: string) => updateWebhook(ctx, id, { enabled: false }),
    ],
  ] as const)('ends immediately as %s, without a retry', async (reason, change) => {
    const { story, receiver } = await waitForRetry();
    story.clock.advance(SECOND);
    await change(story.ctx, story.endpoint.id);
    expect(await story.delivery()).toMatchObject({
      status: 'failed',
      reason,
      attempts: 1,
      failures: 1,
      nextAttemptAt: null,
      settledAt: story.clock.now(),
      attemptLog: [{ number: 1, statusCode: 500 }],
    });
    await runToTheEnd(story);
    expect(story.requests(), 'nothing more is sent').toHaveLength(1);
    await receiver.close();
  });

  it('is sent after the endpoint is enabled again and its deliveries are recovered', async () => {
    const { story, receiver } = await waitForRetry();
    const since = START;
    await updateWebhook(story.ctx, story.endpoint.id, { enabled: false });
    await updateWebhook(story.ctx, story.endpoint.id, { enabled: true });
    receiver.respondWith(200);
    await runToTheEnd(story);
    expect(story.requests(), 'not automatically').toHaveLength(1);
    expect(await recoverDeliveries(story.ctx, story.endpoint.id, { since })).toEqual({ queued: 1 });
    await runToTheEnd(story);
    expect(story.requests()).toHaveLength(2);
    expect(await story.delivery()).toMatchObject({ status: 'delivered' });
    await receiver.close();
  });
});

describe('a delivery whose endpoint is removed during an attempt', () => {
  it.each([
    [204, 'delivered', null],
    [500, 'failed', 'endpoint_disabled'],
  ] as const)('with the response %i: %s', async (responseStatus, status, reason) => {
    const server = await serveHttp(async (_request, response) => {
      await updateWebhook(story.ctx, story.endpoint.id, { enabled: false });
      response.writeHead(responseStatus).end();
    });
    const story = await beginDeliveryStory(database.db, { url: server.url, requests: [] });
    await story.emit();
    await story.send();
    await story.send();
    expect(await story.delivery()).toMatchObject({ status, reason, nextAttemptAt: null });
  });
});
