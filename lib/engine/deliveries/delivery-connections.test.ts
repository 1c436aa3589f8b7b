import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWebhook, rotateSecret, updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { beginDeliveryStory, incidentCreated } from '@/lib/engine/testing/delivery-story';
import { createTestEngine } from '@/lib/engine/testing/test-engine';
import { emitEvents } from '@/lib/notify/emit-events';
import { createKeptConnections } from '@/lib/platform/net/kept-connections';
import { serveHttp, serveHttps, serveTcp, testAuthority } from '@/lib/platform/net/testing/servers';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';

const database = useTestDatabase();

const serve = () => serveHttp((_request, response) => response.writeHead(200).end());

function keepConnections() {
  const connections = createKeptConnections();
  onTestFinished(() => connections.close());
  return connections;
}

type Story = Awaited<ReturnType<typeof beginDeliveryStory>>;

function begin({ url }: { url: string }, options: Parameters<typeof beginDeliveryStory>[2] = {}) {
  return beginDeliveryStory(
    database.db,
    { url, requests: [] },
    { connections: keepConnections(), ...options },
  );
}

async function deliver(story: Story) {
  await story.emit();
  await story.send();
  return story.delivery();
}

describe('deliveries', () => {
  it('to one receiver use one connection', async () => {
    const server = await serve();
    const story = await begin(server);
    for (const _ of [1, 2, 3])
      expect(await deliver(story)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(server.connections()).toBe(1);
  });

  it('to one receiver use one connection with TLS', async () => {
    const server = await serveHttps('good');
    const story = await begin(server, { secureContext: testAuthority });
    for (const _ of [1, 2]) expect(await deliver(story)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(server.connections()).toBe(1);
  });

  it('of two organizations never use the same', async () => {
    const server = await serve();
    const connections = keepConnections();
    const path = '/shared';
    const one = await begin(server, { connections, path });
    const other = await begin(server, { connections, path });
    for (const story of [one, other, one, other]) await deliver(story);
    expect(server.connections()).toBe(2);
  });

  it('over a connection that the receiver closed meanwhile are one attempt, processed once', async () => {
    const processed: string[] = [];
    const reset: string[] = [];
    const server = await serveTcp((socket) => {
      const isFirst = processed.length === 0;
      socket.once('data', (bytes) => {
        processed.push(bytes.toString());
        socket.write('HTTP/1.1 204 No Content\r\n\r\n');
        if (!isFirst) return;
        socket.once('data', (unprocessed) => {
          reset.push(unprocessed.toString());
          socket.resetAndDestroy();
        });
      });
    });
    const story = await begin(server);
    await deliver(story);
    const second = await deliver(story);
    expect(second).toMatchObject({ status: 'delivered', attempts: 1, failures: 0 });
    expect(second.attemptLog).toMatchObject([{ number: 1, statusCode: 204, error: null }]);
    expect(processed).toHaveLength(2);
    expect(reset).toEqual([processed[1]]);
  });

  it('that the receiver resets after the first byte of a response have failed', async () => {
    const server = await serveTcp((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 204 No Content\r\n\r\n');
        socket.once('data', () => {
          socket.write('H', () => setTimeout(() => socket.resetAndDestroy(), 20));
        });
      });
    });
    const story = await begin(server);
    await deliver(story);
    const second = await deliver(story);
    expect(second).toMatchObject({ status: 'pending', attempts: 1, failures: 1 });
    expect(second.attemptLog).toMatchObject([
      { statusCode: null, error: expect.stringContaining('during the response') },
    ]);
    expect(server.connections()).toBe(1);
  });
});

describe('the connections of an endpoint', () => {
  it.each<[what: string, change: (story: Story) => Promise<unknown>]>([
    ['its secret', ({ ctx, endpoint }) => rotateSecret(ctx, endpoint.id, { immediate: true })],
    ['its URL', ({ ctx, endpoint }) => updateWebhook(ctx, endpoint.id, { url: `${endpoint.url}/moved` })],
  ])('are closed when %s changes', async (_what, change) => {
    const server = await serve();
    const story = await begin(server);
    await deliver(story);
    await change(story);
    await deliver(story);
    expect(server.connections()).toBe(2);
    await expect.poll(server.open).toBe(1);
  });

  it('are closed when it is disabled', async () => {
    const server = await serve();
    const story = await begin(server);
    await deliver(story);
    await story.emit();
    await updateWebhook(story.ctx, story.endpoint.id, { enabled: false });
    await story.send();
    expect(await story.delivery()).toMatchObject({ reason: 'endpoint_disabled' });
    await expect.poll(server.open).toBe(0);
  });
});

it('a stopping worker closes its connections', async () => {
  const bodies: string[] = [];
  const server = await serveHttp(async (request, response) => {
    bodies.push(await text(request));
    response.writeHead(204).end();
  });
  const services = createTestServices({ db: database.db });
  const { ctx, organizationId } = await createTestOrganization(services);
  await createWebhook(ctx, createWebhookSchema.parse({ url: server.url }));
  const engine = createTestEngine(services);
  const draining = engine.drainDeliveries(new Date(Date.now() + 600_000));
  for (const count of [1, 2]) {
    const occurredAt = services.clock.now();
    await services.db.$transaction((tx) =>
      emitEvents(tx, services, [{ organizationId, occurredAt, payload: incidentCreated(occurredAt) }]),
    );
    engine.wakeDeliveries();
    await expect.poll(() => bodies.length).toBe(count);
  }
  expect(server.connections()).toBe(1);
  await expect.poll(server.open).toBe(1);
  await engine.stop(5000);
  await draining;
  await expect.poll(server.open).toBe(0);
});
