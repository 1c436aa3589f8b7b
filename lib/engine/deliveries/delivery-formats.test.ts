import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { getDelivery } from '@/lib/domain/webhooks/read-deliveries';
import { replayDelivery, testWebhook } from '@/lib/domain/webhooks/resend-deliveries';
import { beginDeliveryStory, incidentCreated, START } from '@/lib/engine/testing/delivery-story';
import { renderBody } from '@/lib/notify/message';
import { serveHttp } from '@/lib/platform/net/testing/servers';
import { credentialsOf } from '@/lib/schemas/webhooks/credentials';
import { useTestDatabase } from '@/lib/testing/database';
import { type ReceivedRequest, type Receiver, startReceiver } from '@/lib/testing/receiver';
import { formatOf, WEBHOOK_FORMATS } from '@/lib/webhook-formats/formats';

const APP_URL = 'https://pharos.example.com';
// Those with credentials are tested in product-deliveries.test.ts.
const FORMATS = WEBHOOK_FORMATS.filter(
  (format) => formatOf(format).reader !== 'program' && credentialsOf(format).length === 0,
);
const database = useTestDatabase();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** Whether the body of a request is signed with a secret. */
function isSignedWith(secret: string, { body, headers }: ReceivedRequest): boolean {
  const expected = createHmac('sha256', secret).update(body).digest('hex');
  return headers['x-service-signature'] === `sha256=${expected}`;
}

/** The formats with which everything is tested. */
const COMPLETE = sized(FORMATS.slice(0, 1), { thorough: FORMATS });

describe.each(FORMATS)('an endpoint with the format %s', (format) => {
  // Links are tested in linked-deliveries.test.ts.
  const begin = () =>
    beginDeliveryStory(database.db, receiver, { format, appUrl: APP_URL, acknowledgeLinks: false });

  it('receives events as signed messages in that format', async () => {
    receiver.respondWith(204);
    const story = await begin();
    expect(story.endpoint).toMatchObject({ format, secret: expect.stringMatching(/^whsec_/) });
    await story.emit();
    await story.send();
    const [request] = story.requests();
    expect(request?.body).toBe(renderBody(format, incidentCreated(START), APP_URL));
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Pharos-Webhook/1.0',
      'x-service-delivery-id': expect.stringMatching(/^del_/),
    });
    expect(request && isSignedWith(story.endpoint.secret, request)).toBe(true);
    expect(await story.delivery()).toMatchObject({ status: 'delivered' });
  });

  if (!COMPLETE.includes(format)) return;

  it('receives test messages in that format, without its URL', async () => {
    receiver.respondWith(200);
    const story = await begin();
    const made = await testWebhook(story.ctx, story.endpoint.id);
    await story.send();
    const [request] = story.requests();
    expect(request?.body).toBe(made.payloadText);
    expect(request?.body).toContain('Test notification');
    expect(request?.body).not.toContain(story.endpoint.url);
  });

  it('gets the same bytes on every attempt, even if its format changes meanwhile', async () => {
    receiver.respondWith(500);
    const story = await begin();
    await story.emit();
    await story.send();
    await updateWebhook(story.ctx, story.endpoint.id, { format: 'standard' });
    story.clock.advance(60_000);
    await story.send();
    receiver.respondWith(200);
    const { id } = await story.delivery();
    await replayDelivery(story.ctx, id);
    await story.send();
    const requests = story.requests();
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(requests.every((request) => isSignedWith(story.endpoint.secret, request))).toBe(true);

    await story.emit();
    await story.send();
    const next = story.requests().at(-1);
    expect(JSON.parse(next?.body ?? '')).toMatchObject(incidentCreated(story.clock.now()));
    expect(next && isSignedWith(story.endpoint.secret, next)).toBe(true);
  });
});

describe('deliveries pending for an endpoint with the standard format', () => {
  it('stay signed payloads even if the endpoint changes to a chat product', async () => {
    receiver.respondWith(500);
    const story = await beginDeliveryStory(database.db, receiver);
    await story.emit();
    await story.send();
    await updateWebhook(story.ctx, story.endpoint.id, { format: 'slack' });
    receiver.respondWith(200);
    story.clock.advance(60_000);
    await story.send();
    const [first, second] = story.requests();
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['x-service-signature']).toBe(first?.headers['x-service-signature']);
  });
});

describe('a chat product', () => {
  it.each([
    ['discord', 204, ''],
    ['slack', 200, 'ok'],
    ['teams', 202, ''],
  ] as const)('such as %s has accepted a delivery with its %i', async (format, status, body) => {
    const server = await serveHttp((_request, response) => response.writeHead(status).end(body));
    const story = await beginDeliveryStory(database.db, { url: server.url, requests: [] }, { format });
    await story.emit();
    await story.send();
    expect(await story.delivery()).toMatchObject({
      status: 'delivered',
      attemptLog: [{ statusCode: status, responseBody: body, error: null }],
    });
  });

  it('that requests a slower pace is retried on schedule', async () => {
    const server = await serveHttp((_request, response) =>
      response.writeHead(429, { 'Retry-After': '3' }).end('{"retry_after": 3}'),
    );
    const receives = { url: server.url, requests: [] };
    const story = await beginDeliveryStory(database.db, receives, { format: 'discord' });
    await story.emit();
    await story.send();
    expect(await story.delivery()).toMatchObject({
      status: 'pending',
      failures: 1,
      nextAttemptAt: new Date(START.getTime() + 60_000),
      attemptLog: [{ statusCode: 429, error: 'responded with 429, expected 2xx' }],
    });
  });
});

describe('the record of an attempt', () => {
  it('keeps the request, with its URL at the time, and the response', async () => {
    receiver.respondWith(503);
    const story = await beginDeliveryStory(database.db, receiver);
    await story.emit();
    await story.send();
    const moved = `${story.endpoint.url}/moved`;
    await updateWebhook(story.ctx, story.endpoint.id, { url: moved });
    story.clock.advance(60_000);
    await story.send();
    const { id } = await story.delivery();
    const { payloadText: body, tries } = await getDelivery(story.ctx, id);
    expect(tries).toMatchObject([
      { request: { url: story.endpoint.url, body }, response: { status: 503, body: '' } },
      { request: { url: moved, body }, response: { status: 503, body: '' } },
    ]);
    const received = receiver.requests.filter(({ headers }) => headers['x-service-delivery-id'] === id);
    expect(received).toHaveLength(2);
    for (const [index, one] of received.entries()) {
      const kept = Object.entries(tries[index]?.request?.headers ?? {});
      expect(one.headers).toMatchObject(
        Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), value])),
      );
      expect(kept.map(([name]) => name)).toContain('X-Service-Signature');
    }
  });

  it('has no request if none was sent, and no response if there was none', async () => {
    const story = await beginDeliveryStory(database.db, { url: 'http://127.0.0.1:9', requests: [] });
    await story.emit();
    await story.send();
    // As when a worker disables it while another claims.
    await database.db.webhookEndpoint.update({ where: { id: story.endpoint.id }, data: { enabled: false } });
    story.clock.advance(60_000);
    await story.send();
    const { tries } = await getDelivery(story.ctx, (await story.delivery()).id);
    expect(tries).toMatchObject([
      { request: { url: story.endpoint.url }, response: null, error: expect.stringContaining('refused') },
      { request: null, response: null, error: 'the endpoint is disabled' },
    ]);
  });
});
