import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { createWebhookSchema } from '@/lib/schemas/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { listenLocally } from '@/lib/testing/http-listener';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { createWebhook } from '@/lib/webhooks/create-webhook';
import { emitEvents } from '@/lib/webhooks/emit-events';
import { updateWebhook } from '@/lib/webhooks/update-webhook';
import { createEngine } from './create-engine';
import { incidentCreated } from './testing/delivery-story';

const database = useTestDatabase();

/** A receiver that answers when `answer` resolves, and counts. */
async function startReceiver(answer: () => Promise<unknown>) {
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
    await answer();
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
    /** A worker that delivers until it is told to stop; `stop` answers what the drain threw. */
    work: (workerId = 'wrk_a') => {
      const engine = createEngine({
        workerId,
        services,
        serviceName: 'Pharos',
        checkConcurrency: 1,
        dnsServers: [],
        canaries: [],
        mail: null,
        domainsNeedProof: false,
        onCutOff: () => undefined,
        log: createLogger('silent', 'test'),
      });
      const draining = engine.drainDeliveries(new Date(Date.now() + 60_000));
      return async (graceMs: number) => {
        await engine.stop(graceMs);
        await draining;
      };
    },
    deliveriesOf: (endpointId: string) =>
      database.db.delivery.findMany({ where: { endpointId }, include: { tries: true } }),
  };
}

const SOON = { timeout: 20_000, interval: 20 };

describe('a burst of deliveries', () => {
  it('reaches one endpoint while another hangs, five at once and no more', async () => {
    const story = await begin();
    const quick = await startReceiver(() => delay(1));
    const hanging = await startReceiver(() => new Promise(() => undefined));
    const [quickId, hangingId] = [await story.addEndpoint(quick.url), await story.addEndpoint(hanging.url)];
    await story.emit(400);
    const stop = story.work();
    await expect.poll(() => quick.ids.length, SOON).toBe(400);
    await expect
      .poll(async () => (await story.deliveriesOf(quickId)).filter(({ settledAt }) => settledAt).length, SOON)
      .toBe(400);
    expect([new Set(quick.ids).size, quick.open.most]).toEqual([400, 5]);
    expect([hanging.ids.length, hanging.open.most]).toEqual([5, 5]);
    const waiting = await story.deliveriesOf(hangingId);
    expect(waiting.filter(({ attempts }) => attempts > 0)).toHaveLength(5);
    expect(waiting.every(({ status }) => status === 'pending')).toBe(true);
    await stop(100);
  });

  it('that is interrupted by a stop leaves no try that was not made, and none that was made unrecorded', async () => {
    const story = await begin();
    const receiver = await startReceiver(() => delay(2));
    const endpointId = await story.addEndpoint(receiver.url);
    await story.emit(1000);
    const stop = story.work();
    await expect.poll(() => receiver.ids.length, SOON).toBeGreaterThan(300);
    await stop(5000);

    expect(receiver.ids.length).toBeLessThan(1000);
    const received = new Set(receiver.ids);
    const deliveries = await story.deliveriesOf(endpointId);
    const unsent = deliveries.filter(({ id }) => !received.has(id));
    const free = {
      status: 'pending',
      attempts: 0,
      failures: 0,
      claimedBy: null,
      leaseUntil: null,
      tries: [],
    };
    expect(unsent).toHaveLength(1000 - received.size);
    for (const delivery of unsent) expect(delivery).toMatchObject(free);
    for (const delivery of deliveries.filter(({ id }) => received.has(id))) {
      expect(delivery).toMatchObject({ status: 'delivered', attempts: 1, tries: [{ statusCode: 200 }] });
      const [attempt] = delivery.tries;
      expect(attempt?.finishedAt?.getTime()).toBeGreaterThanOrEqual(attempt?.startedAt.getTime() ?? 0);
    }
  });

  it('ends for an endpoint that is disabled in the middle of it', async () => {
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
      .poll(
        async () => (await story.deliveriesOf(endpointId)).filter(({ settledAt }) => settledAt).length,
        SOON,
      )
      .toBe(100);
    expect(receiver.ids).toHaveLength(5);
    const reasons = (await story.deliveriesOf(endpointId)).map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason === 'endpoint_disabled')).toHaveLength(95);
    await stop(1000);
  });

  it('is shared by two workers, each delivery sent by one of them', async () => {
    const story = await begin();
    const receiver = await startReceiver(() => delay(2));
    await story.addEndpoint(receiver.url);
    await story.emit(1000);
    const stops = [story.work('wrk_a'), story.work('wrk_b')];
    await expect.poll(() => receiver.ids.length, SOON).toBe(1000);
    expect(new Set(receiver.ids).size).toBe(1000);
    expect(receiver.open.most).toBeLessThanOrEqual(10);
    const workers = await Promise.all(stops.map((stop) => stop(2000)));
    expect(workers).toHaveLength(2);
  });
});
