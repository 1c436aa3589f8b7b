import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorker, type Worker } from '@/e2e/support/start-worker';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { incidentCreated } from '@/lib/engine/testing/delivery-story';
import { emitEvents } from '@/lib/notify/emit-events';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { type HttpListener, listenLocally } from '@/lib/testing/http-listener';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { waitFor } from '@/lib/testing/wait-for';

const database = useTestDatabase();
const closing: (() => Promise<unknown>)[] = [];

type Story = Awaited<ReturnType<typeof begin>>;
type Request = { deliveryId: string };

/** A receiver that holds its responses until `respond` is called. */
async function startHoldingReceiver() {
  const received: Request[] = [];
  const held: ServerResponse[] = [];
  let holds = true;
  const server = createServer(async (request, response) => {
    await text(request);
    received.push({ deliveryId: String(request.headers['x-service-delivery-id']) });
    if (holds) held.push(response);
    else response.end();
  });
  const listener: HttpListener = await listenLocally(server);
  closing.push(listener.close);
  return {
    url: listener.url,
    received,
    /** Responds to held requests, and to later ones immediately. Resolves when the responses are sent. */
    async respond(): Promise<void> {
      holds = false;
      const open = held.splice(0).filter(({ destroyed }) => !destroyed);
      await Promise.all(open.map((response) => once(response.end(), 'finish')));
    },
  };
}

/** A port where connecting hangs: its process is stopped and its connection queue is full. */
async function startBlockedPort(): Promise<string> {
  const program = `require('node:net').createServer().listen({ host: '127.0.0.1', port: 0, backlog: 1 },
    function () { console.log(this.address().port) })`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const port = Number(String(line));
  child.kill('SIGSTOP');
  const fillers: Socket[] = [];
  closing.push(async () => {
    for (const socket of fillers) socket.destroy();
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  for (let isOpen = true; isOpen; ) {
    const socket = connect({ host: '127.0.0.1', port }).on('error', () => undefined);
    fillers.push(socket);
    isOpen = await Promise.race([once(socket, 'connect').then(() => true), delay(500, false)]);
  }
  return `http://127.0.0.1:${port}`;
}

async function begin() {
  const services = createTestServices({ db: database.db });
  const { ctx, organizationId } = await createTestOrganization(services);
  return {
    addEndpoint: async (url: string) => (await createWebhook(ctx, createWebhookSchema.parse({ url }))).id,
    /** Commits one event, and with it a delivery to each endpoint. */
    emit: () =>
      database.db.$transaction((tx) => {
        const occurredAt = services.clock.now();
        return emitEvents(tx, services, [
          { organizationId, occurredAt, payload: incidentCreated(occurredAt) },
        ]);
      }),
    deliveryOf: (endpointId: string) =>
      database.db.delivery.findFirstOrThrow({
        where: { endpointId },
        include: { attemptLog: { orderBy: { number: 'asc' } } },
      }),
  };
}

/** Waits for a condition; `expect.poll` works only within tests. */
function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  return waitFor(async () => expect(await holds()).toBe(true), { interval: 50 });
}

const beginWorking = () => startWorker({ DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET_KEY });

/** Locks the row of a delivery until `release`. */
async function lockDelivery(id: string): Promise<{ release(): Promise<void> }> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM delivery WHERE id = $1 FOR UPDATE', [id]);
  return { release: () => client.end() };
}

/** The database connections of the worker, and whether each waits for a lock. */
async function readBackends(): Promise<{ pid: number; waits: boolean }[]> {
  return database.db.$queryRaw`
    SELECT pid, wait_event_type = 'Lock' AS waits FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'pharos worker'`;
}

/** Simulates the loss of the whole machine: otherwise a waiting statement would still run. */
async function endBackends(): Promise<void> {
  for (const { pid } of await readBackends())
    await database.db.$queryRaw`SELECT pg_terminate_backend(${pid}::int)`;
  await until(async () => (await readBackends()).length === 0);
}

// One worker dies with four deliveries in four states, and the next one finishes them.
describe('a worker that is killed', () => {
  let story: Story;
  let worker: Worker;
  const endpoints = { before: '', connecting: '', asking: '', responded: '' };
  type Place = keyof typeof endpoints;
  let receivers: Record<Place, Awaited<ReturnType<typeof startHoldingReceiver>>>;

  beforeAll(async () => {
    story = await begin();
    const [before, connecting, asking, responded] = await Promise.all(
      Array.from({ length: 4 }, startHoldingReceiver),
    );
    if (!before || !connecting || !asking || !responded) throw new Error('four receivers were started');
    receivers = { before, connecting, asking, responded };
    endpoints.connecting = await story.addEndpoint(await startBlockedPort());
    endpoints.asking = await story.addEndpoint(asking.url);
    endpoints.responded = await story.addEndpoint(responded.url);
    worker = await beginWorking();
    await story.emit();
    await until(async () => (await story.deliveryOf(endpoints.connecting)).attemptLog.length === 1);
    await until(() => asking.received.length === 1 && responded.received.length === 1);
    const lock = await lockDelivery((await story.deliveryOf(endpoints.responded)).id);
    await responded.respond();
    await until(async () => (await readBackends()).some(({ waits }) => waits));
    await worker.kill();
    await endBackends();
    await lock.release();

    // While no worker runs, commit another event, for its own endpoint.
    for (const endpointId of Object.values(endpoints).filter((id) => id !== ''))
      await setEnabled(endpointId, false);
    endpoints.before = await story.addEndpoint(before.url);
    await story.emit();
    for (const endpointId of Object.values(endpoints)) await setEnabled(endpointId, true);
    await database.db.webhookEndpoint.update({
      where: { id: endpoints.connecting },
      data: { url: connecting.url },
    });
    await Promise.all(Object.values(receivers).map((receiver) => receiver.respond()));
    worker = await beginWorking();
  });

  afterAll(async () => {
    await worker?.stop();
    await Promise.all(closing.map((close) => close()));
  });

  function setEnabled(id: string, enabled: boolean) {
    return database.db.webhookEndpoint.update({ where: { id }, data: { enabled } });
  }

  /** Waits until a delivery is recorded as delivered, and returns what its receiver saw. */
  async function waitForDelivery(place: Place) {
    const read = () => story.deliveryOf(endpoints[place]);
    await expect.poll(async () => (await read()).status, { interval: 100 }).toBe('delivered');
    const delivery = await read();
    const { received } = receivers[place];
    expect(received.map(({ deliveryId }) => deliveryId)).toEqual(received.map(() => delivery.id));
    expect(delivery.failures, 'an interrupted attempt does not count').toBe(0);
    const attempts = delivery.attemptLog.map(({ error }) =>
      error?.startsWith('interrupted') ? 'interrupted' : 'recorded',
    );
    return { received: received.length, attempts };
  }

  it('before the event was committed: delivered by the next, once', async () => {
    expect(await waitForDelivery('before')).toEqual({ received: 1, attempts: ['recorded'] });
  });

  it('after claiming a delivery and before sending the request: delivered by the next, once', async () => {
    expect(await waitForDelivery('connecting')).toEqual({
      received: 1,
      attempts: ['interrupted', 'recorded'],
    });
  });

  it('during the request: delivered by the next, at most twice', async () => {
    expect(await waitForDelivery('asking')).toEqual({ received: 2, attempts: ['interrupted', 'recorded'] });
  });

  it('after the 200 of the receiver and before it was recorded: delivered by the next, at most twice', async () => {
    expect(await waitForDelivery('responded')).toEqual({
      received: 2,
      attempts: ['interrupted', 'recorded'],
    });
  });
});
