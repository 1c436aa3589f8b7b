import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { createWebhook, updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { incidentCreated } from '@/lib/engine/testing/delivery-story';
import { createTestEngine } from '@/lib/engine/testing/test-engine';
import { emitEvents } from '@/lib/notify/emit-events';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { listenLocally } from '@/lib/testing/http-listener';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';

const database = useTestDatabase();
const EVENTS = sized(300, { thorough: 1000 });

/** A receiver that responds when `wait` resolves, and counts requests. */
async function startReceiver(wait: () => Promise<unknown>) {
  const ids: string[] = [];
  const open = { now: 0, most: 0 };
  const server = createServer(async (request, response) => {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    response.on('close', () => {
      open.now -= 1;
    });
    await text(request);
    ids.push(String(request.headers['x-service-delivery-id']));
    await wait();
    response.end();
  });
  const { url, close } = await listenLocally(server);
  onTestFinished(close);
  return { url, ids, open };
}

async function begin() {
  const services = createTestServices({ db: database.db });
  const { ctx, organizationId } = await createTestOrganization(services);
  return {
    ctx,
    addEndpoint: async (url: string) => (await createWebhook(ctx, createWebhookSchema.parse({ url }))).id,
    emit: (count: number) =>
      database.db.$transaction((tx) => {
        const occurredAt = services.clock.now();
        const event = { organizationId, occurredAt, payload: incidentCreated(occurredAt) };
        return emitEvents(tx, services, Array(count).fill(event));
      }),
    /** A worker that delivers until it is stopped; `stop` returns the drain's error. */
    work: (workerId = 'wrk_a') => {
      const engine = createTestEngine(services, { workerId });
      const draining = engine.drainDeliveries(new Date(Date.now() + 60_000));
      return async (graceMs: number) => {
        await engine.stop(graceMs);
        await draining;
      };
    },
    deliveriesOf: (endpointId: string) =>
      database.db.delivery.findMany({ where: { endpointId }, include: { attemptLog: true } }),
  };
}

describe('a burst of deliveries', () => {
  it('reaches one endpoint while another hangs, which gets at most sixty slots', async () => {
    const story = await begin();
    const quick = await startReceiver(() => delay(1));
    const hanging = await startReceiver(() => new Promise(() => undefined));
    const hangingId = await story.addEndpoint(hanging.url);
    // An endpoint has a slot for every five deliveries.
    await story.emit(300);
    const quickId = await story.addEndpoint(quick.url);
    await story.emit(20);
    const stop = story.work();
    await expect.poll(() => quick.ids.length).toBe(20);
    await expect
      .poll(async () => (await story.deliveriesOf(quickId)).filter(({ settledAt }) => settledAt).length)
      .toBe(20);
    expect(new Set(quick.ids).size).toBe(20);
    await expect.poll(() => hanging.ids.length).toBe(60);
    expect(hanging.open.most).toBe(60);
    const pending = await story.deliveriesOf(hangingId);
    expect(pending.filter(({ attempts }) => attempts > 0)).toHaveLength(60);
    expect(pending.every(({ status }) => status === 'pending')).toBe(true);
    await stop(100);
  });

  it('does not delay another organization, however many endpoints of the first hang', async () => {
    const [flooded, other] = [await begin(), await begin()];
    const hanging = await startReceiver(() => new Promise(() => undefined));
    for (let n = 0; n < 4; n++) await flooded.addEndpoint(hanging.url);
    await flooded.emit(200);
    const stop = flooded.work();
    await expect.poll(() => hanging.ids.length).toBe(150);
    const quick = await startReceiver(async () => undefined);
    await other.addEndpoint(quick.url);
    await other.emit(10);
    await expect.poll(() => quick.ids.length).toBe(10);
    expect(hanging.ids.length, 'at most 150 for one organization').toBe(150);
    await stop(100);
  });

  it('sends first attempts before retries that were due earlier', async () => {
    const story = await begin();
    const receiver = await startReceiver(() => delay(20));
    const endpointId = await story.addEndpoint(receiver.url);
    await story.emit(100);
    await database.db.delivery.updateMany({ where: { endpointId }, data: { failures: 1 } });
    await story.emit(3);
    const isFirst = { endpointId, failures: 0 };
    const first = (await database.db.delivery.findMany({ where: isFirst })).map(({ id }) => id);
    const stop = story.work();
    await expect.poll(() => receiver.ids.length).toBe(103);
    expect(receiver.ids.slice(0, 60)).toEqual(expect.arrayContaining(first));
    await stop(1000);
  });

  it('interrupted by a stop records exactly the attempts that were made', async () => {
    const story = await begin();
    let release = () => {};
    const stopping = new Promise<void>((resolve) => {
      release = resolve;
    });
    const receiver = await startReceiver(async () => {
      if (receiver.ids.length > 100) await stopping;
    });
    const endpointId = await story.addEndpoint(receiver.url);
    await story.emit(EVENTS);
    const stop = story.work();
    await expect.poll(() => receiver.ids.length).toBeGreaterThan(100);
    const stopped = stop(5000);
    release();
    await stopped;

    expect(receiver.ids.length).toBeLessThan(EVENTS);
    const received = new Set(receiver.ids);
    const deliveries = await story.deliveriesOf(endpointId);
    const unsent = deliveries.filter(({ id }) => !received.has(id));
    const free = {
      status: 'pending',
      attempts: 0,
      failures: 0,
      claimedBy: null,
      leaseUntil: null,
      attemptLog: [],
    };
    expect(unsent).toHaveLength(EVENTS - received.size);
    for (const delivery of unsent) expect(delivery).toMatchObject(free);
    for (const delivery of deliveries.filter(({ id }) => received.has(id))) {
      expect(delivery).toMatchObject({ status: 'delivered', attempts: 1, attemptLog: [{ statusCode: 200 }] });
      const [attempt] = delivery.attemptLog;
      expect(attempt?.finishedAt?.getTime()).toBeGreaterThanOrEqual(attempt?.startedAt.getTime() ?? 0);
    }
  });

  it('ends for an endpoint that is disabled midway', async () => {
    const story = await begin();
    let disabled: Promise<unknown> | undefined;
    const receiver = await startReceiver(async () => {
      disabled ??= updateWebhook(story.ctx, endpointId, { enabled: false });
      await disabled;
    });
    const endpointId = await story.addEndpoint(receiver.url);
    await story.emit(100);
    const stop = story.work();
    await expect
      .poll(async () => (await story.deliveriesOf(endpointId)).filter(({ settledAt }) => settledAt).length)
      .toBe(100);
    expect(receiver.ids.length).toBeLessThanOrEqual(20);
    const reasons = (await story.deliveriesOf(endpointId)).map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason === 'endpoint_disabled')).toHaveLength(
      100 - receiver.ids.length,
    );
    await stop(1000);
  });

  it('is shared by two workers, each delivery sent by one of them', async () => {
    const story = await begin();
    const receiver = await startReceiver(() => delay(2));
    await story.addEndpoint(receiver.url);
    await story.emit(EVENTS);
    const stops = [story.work('wrk_a'), story.work('wrk_b')];
    await expect.poll(() => receiver.ids.length).toBe(EVENTS);
    expect(new Set(receiver.ids).size).toBe(EVENTS);
    expect(receiver.open.most).toBeLessThanOrEqual(120);
    const workers = await Promise.all(stops.map((stop) => stop(2000)));
    expect(workers).toHaveLength(2);
  });
});
