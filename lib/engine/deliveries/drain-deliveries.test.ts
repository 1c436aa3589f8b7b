import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteWebhook, updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { RETRY_DELAYS } from '@/lib/domain/webhooks/retry-schedule';
import {
  beginDeliveryStory,
  createTestDeliveryEngine,
  incidentCreated,
  START,
} from '@/lib/engine/testing/delivery-story';
import { useTestDatabase } from '@/lib/testing/database';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { awaitAttempts } from './drain-deliveries';

const database = useTestDatabase();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const beginDelivering = () => beginDeliveryStory(database.db, receiver);

describe('delivering', () => {
  it('sends what is documented, so that a receiver can verify it from the documentation alone', async () => {
    receiver.respondWith(204);
    const story = await beginDelivering();
    await story.emit();
    await story.send();
    const [request, ...others] = story.requests();
    expect(others).toEqual([]);
    if (!request) throw new Error('nothing was received');
    const { headers, body } = request;
    expect(request.method).toBe('POST');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Pharos-Webhook/1.0',
      'x-service-event': 'incident.created',
      'x-service-timestamp': String(START.getTime() / 1000),
      'x-service-attempt': '1',
    });
    expect(headers['x-service-delivery-id']).toMatch(/^del_/);
    const digest = createHmac('sha256', story.endpoint.secret).update(body).digest('hex');
    expect(headers['x-service-signature']).toBe(`sha256=${digest}`);
    expect(JSON.parse(body)).toEqual({ id: headers['x-service-event-id'], ...incidentCreated(START) });
    expect(headers['x-service-event-id']).toMatch(/^evt_/);
    expect(await story.delivery()).toMatchObject({
      status: 'delivered',
      attempts: 1,
      attemptLog: [{ number: 1, statusCode: 204, error: null }],
    });
  });

  it('also signs for Standard Webhooks verifiers', async () => {
    receiver.respondWith(200);
    const story = await beginDelivering();
    await story.emit();
    await story.send();
    const [request] = story.requests();
    const key = Buffer.from(story.endpoint.secret.slice('whsec_'.length), 'base64');
    const {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    } = request?.headers ?? {};
    const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${request?.body}`).digest('base64');
    expect(signature).toBe(`v1,${digest}`);
  });

  it('retries on schedule, with the same id and bytes, and fails after the fifth retry', async () => {
    receiver.respondWith(500);
    const story = await beginDelivering();
    await story.emit();
    await story.send();
    for (const [index, delay] of RETRY_DELAYS.entries()) {
      const { nextAttemptAt } = await story.delivery();
      expect(nextAttemptAt?.getTime()).toBe(story.clock.now().getTime() + delay);
      story.clock.advance(delay - 1);
      await story.send();
      expect(story.requests(), 'no early attempt').toHaveLength(index + 1);
      story.clock.advance(1);
      await story.send();
      expect(story.requests()).toHaveLength(index + 2);
    }
    expect(await story.delivery()).toMatchObject({
      status: 'failed',
      reason: 'exhausted',
      attempts: 6,
      nextAttemptAt: null,
    });
    const requests = story.requests();
    expect(new Set(requests.map((request) => request.body)).size).toBe(1);
    expect(new Set(requests.map((request) => request.headers['x-service-delivery-id'])).size).toBe(1);
    expect(requests.map((request) => request.headers['x-service-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ]);
  });

  it('sends nothing to an endpoint that was deleted or disabled meanwhile, and records why', async () => {
    const deleted = await beginDelivering();
    await deleted.emit();
    await deleteWebhook(deleted.ctx, deleted.endpoint.id);
    await deleted.send();
    expect(await deleted.delivery()).toMatchObject({ status: 'failed', reason: 'endpoint_deleted' });

    const disabled = await beginDelivering();
    await disabled.emit();
    await updateWebhook(disabled.ctx, disabled.endpoint.id, { enabled: false });
    await disabled.send();
    expect(await disabled.delivery()).toMatchObject({ status: 'failed', reason: 'endpoint_disabled' });
    expect([...deleted.requests(), ...disabled.requests()]).toEqual([]);
  });

  it('sends nothing that it claimed from a database that stood still, since another worker may', async () => {
    receiver.respondWith(200);
    const story = await beginDelivering();
    await story.emit();
    const db = new Proxy(database.db, {
      get: (target, name) =>
        name === '$queryRaw'
          ? async (...query: Parameters<typeof target.$queryRaw>) => {
              const rows = await target.$queryRaw<object[]>(...query);
              if (rows.some((row) => 'attemptId' in row)) story.clock.advance(11_000);
              return rows;
            }
          : Reflect.get(target, name),
    });
    const engine = createTestDeliveryEngine({ ...story.ctx, db });
    await engine.pump.start(story.clock.now());
    await awaitAttempts(engine);
    expect(story.requests()).toEqual([]);
    await story.send();
    expect(await story.delivery()).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('creates no delivery for endpoints not subscribed to the event', async () => {
    const story = await beginDelivering();
    await updateWebhook(story.ctx, story.endpoint.id, { events: ['monitor.down'] });
    await story.emit();
    expect(await database.db.delivery.count({ where: { endpointId: story.endpoint.id } })).toBe(0);
  });
});

describe('secrets at rest', () => {
  it('are not readable in the database', async () => {
    const story = await beginDelivering();
    const row = await database.db.webhookEndpoint.findUniqueOrThrow({ where: { id: story.endpoint.id } });
    expect(Buffer.from(row.secretSealed).includes(story.endpoint.secret)).toBe(false);
    expect(story.ctx.keyring.open(row.secretSealed, row.id)).toBe(story.endpoint.secret);
  });
});
