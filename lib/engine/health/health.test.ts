import { connect, createServer, type Socket } from 'node:net';
import pino from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { setMonitorsEnabled } from '@/lib/domain/monitors/change-selected';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { emitEvents } from '@/lib/domain/webhooks/emit-events';
import { incidentCreated } from '@/lib/engine/testing/delivery-story';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { atSecond, beginHealthStory, START } from './testing/health-story';

const database = useTestDatabase();
let ending: (() => Promise<void>) | undefined;

afterEach(async () => {
  await ending?.();
  ending = undefined;
});

async function begin(options: Parameters<typeof beginHealthStory>[1] = {}) {
  const story = await beginHealthStory(database, options);
  ending = story.end;
  return story;
}

const OK = { status: 'ok', unhealthy: [] };

describe('health', () => {
  it('of a new installation is ok: it has the standard parts, and no region without monitors', async () => {
    const { addWorker, health } = await begin({
      hasInngest: true,
      descriptors: async () => ({ open: 9, limit: 10 }),
    });
    await addWorker();
    const { status, parts } = await health.read();
    expect(status).toBe('ok');
    const names = 'database recording schedule deliveries mail upkeep inngest descriptors'.split(' ');
    expect(parts.map(({ name }) => name)).toEqual(names);
    for (const part of parts) {
      expect(part).toEqual({
        name: part.name,
        status: 'ok',
        since: START,
        message: expect.stringMatching(/^.{10,}\.$/),
      });
    }
  });

  it('is down while a worker has not stored finished results for 15 s, and no longer', async () => {
    const { addWorker, clock, read } = await begin();
    const worker = await addWorker();
    worker.hasPending(15_000);
    await worker.beat();
    expect(await read()).toEqual(OK);
    clock.advance(1000);
    worker.hasPending(16_000);
    await worker.beat();
    expect(await read()).toEqual({ status: 'down', unhealthy: [['recording', 'down', START]] });
    worker.hasPending(300);
    clock.advance(1000);
    await worker.beat();
    expect(await read()).toEqual(OK);
  });

  it('is down while the oldest check is overdue by more than 15 s, and ok once it is claimed', async () => {
    const { addMonitor, addWorker, clock, db, read } = await begin();
    const worker = await addWorker();
    const { id } = await addMonitor();
    clock.advance(15_000);
    await worker.beat();
    expect(await read()).toEqual(OK);
    clock.advance(1000);
    expect(await read()).toEqual({ status: 'down', unhealthy: [['schedule', 'down', atSecond(15)]] });
    await db.probeSchedule.updateMany({ where: { monitorId: id }, data: { leaseUntil: atSecond(60) } });
    expect(await read()).toEqual(OK);
  });

  it('gives a worker that just started time to catch up', async () => {
    const { addMonitor, addWorker, clock, read } = await begin();
    await addMonitor();
    clock.advance(3_600_000);
    const worker = await addWorker();
    clock.advance(15_000);
    await worker.beat();
    expect(await read()).toEqual(OK);
    clock.advance(1000);
    expect((await read()).unhealthy).toEqual([['schedule', 'down', atSecond(3615)]]);
  });

  it('names a region with monitors that no worker has served for 15 s, and leaves its checks out of the schedule', async () => {
    const { addMonitor, addWorker, clock, health, read } = await begin();
    const home = await addWorker();
    const far = await addWorker({ id: 'wrk_far', regions: ['eu-west'], duties: 'probe' });
    await addMonitor({ regions: ['eu-west'] });
    await far.stop();
    clock.advance(15_000);
    await home.beat();
    expect(await read()).toEqual(OK);
    clock.advance(1000);
    expect(await read()).toEqual({ status: 'down', unhealthy: [['region:eu-west', 'down', atSecond(15)]] });
    clock.advance(44_000);
    await home.beat();
    const { parts } = await health.read();
    expect(parts.find(({ name }) => name === 'region:eu-west')).toMatchObject({
      since: atSecond(15),
      message:
        'No worker serves eu-west; the last one was seen 1m ago. Start one with PROBE_REGIONS=eu-west.',
    });
    await addWorker({ id: 'wrk_next', regions: ['eu-west'], duties: 'probe' });
    expect(await read()).toEqual(OK);
  });

  it('omits a region whose monitors are all paused', async () => {
    const { addMonitor, addWorker, ctx, read } = await begin();
    await addWorker();
    const { id } = await addMonitor({ regions: ['ap-southeast'] });
    expect((await read()).unhealthy).toEqual([['region:ap-southeast', 'down', START]]);
    await setMonitorsEnabled(ctx, [id], false);
    expect(await read()).toEqual(OK);
  });

  it('is down if only probe workers are left: nobody delivers, sends mail or runs upkeep', async () => {
    const { addWorker, clock, read } = await begin();
    const home = await addWorker();
    const far = await addWorker({ id: 'wrk_far', regions: ['eu-west'], duties: 'probe' });
    await home.stop();
    clock.advance(15_000);
    await far.beat();
    expect(await read()).toEqual(OK);
    clock.advance(1000);
    const unhealthy = ['deliveries', 'mail', 'upkeep'].map((name) => [name, 'down', atSecond(15)]);
    expect(await read()).toEqual({ status: 'down', unhealthy });
    await addWorker({ id: 'wrk_next' });
    expect(await read()).toEqual(OK);
  });

  it('is degraded while Inngest is silent and workers wake themselves', async () => {
    const { addWorker, clock, db, read } = await begin({ hasInngest: true });
    const worker = await addWorker();
    await addWorker({ id: 'wrk_woken' });
    clock.advance(100_000);
    await db.worker.update({
      where: { id: 'wrk_one' },
      data: { inngestSilentSince: atSecond(10), seenAt: atSecond(100) },
    });
    await db.worker.update({ where: { id: 'wrk_woken' }, data: { seenAt: atSecond(100) } });
    await db.dutiesPresence.updateMany({ data: { servedAt: atSecond(100) } });
    expect(await read()).toEqual({ status: 'degraded', unhealthy: [['inngest', 'degraded', atSecond(10)]] });
    await worker.stop();
    expect(await read()).toEqual(OK);
  });

  it('is down when this process is about to run out of file descriptors', async () => {
    const files = { open: 91, limit: 100 };
    const { addWorker, read } = await begin({ descriptors: async () => files });
    await addWorker();
    expect(await read()).toEqual({ status: 'down', unhealthy: [['descriptors', 'down', START]] });
    files.open = 90;
    expect(await read()).toEqual(OK);
  });

  it('keeps the start of a failure while it lasts, and another process derives the same', async () => {
    const { addMonitor, addWorker, clock, read, watch } = await begin();
    const worker = await addWorker();
    await addMonitor({ regions: ['us-east', 'eu-west'] });
    await (await addWorker({ id: 'wrk_far', regions: ['eu-west'], duties: 'probe' })).stop();
    const seen: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      clock.advance(16_000);
      await worker.beat();
      seen.push(...(await read()).unhealthy.filter(([name]) => name === 'region:eu-west'));
    }
    expect(seen).toEqual(Array(3).fill(['region:eu-west', 'down', atSecond(15)]));
    const { parts } = await watch().read();
    expect(parts.find(({ name }) => name === 'region:eu-west')?.since).toEqual(atSecond(15));
  });

  it('names no customer and no monitor', async () => {
    const { addMonitor, addWorker, clock, health, organizationId } = await begin();
    const worker = await addWorker();
    const { id } = await addMonitor({ regions: ['us-east', 'eu-west'] });
    worker.hasPending(60_000);
    clock.advance(60_000);
    await worker.beat();
    const text = JSON.stringify(await health.read());
    for (const secret of ['Acme', 'shop.test', id, organizationId, 'wrk_'])
      expect(text).not.toContain(secret);
  });

  it('is read once a second regardless of the number of requests', async () => {
    const { addWorker, watch } = await begin();
    await addWorker();
    const polled = watch({ reuseMs: 1000 });
    const reports = await Promise.all(Array.from({ length: 50 }, () => polled.read()));
    expect(new Set(reports).size).toBe(1);
  });
});

describe('deliveries', () => {
  async function beginOwing() {
    const story = await begin();
    const worker = await story.addWorker();
    const { ctx, db, services, organizationId, clock } = story;
    const addEndpoint = () => createWebhook(ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
    const { id: endpointId } = await addEndpoint();
    const emit = () =>
      db.$transaction((tx) =>
        emitEvents(tx, services, [
          { organizationId, occurredAt: clock.now(), payload: incidentCreated(clock.now()) },
        ]),
      );
    const pass = async (seconds: number) => {
      clock.advance(seconds * 1000);
      await worker.beat();
    };
    return { ...story, addEndpoint, endpointId, emit, pass };
  }

  it('are down once one has been due for 60 s without an attempt', async () => {
    const { db, emit, pass, read } = await beginOwing();
    await emit();
    await pass(60);
    expect(await read()).toEqual(OK);
    await pass(1);
    expect(await read()).toEqual({ status: 'down', unhealthy: [['deliveries', 'down', atSecond(60)]] });
    await db.delivery.updateMany({ data: { nextAttemptAt: atSecond(120) } });
    expect(await read()).toEqual(OK);
  });

  it('are ok while they wait for a slow receiver, even between its attempts', async () => {
    const { addEndpoint, clock, db, emit, endpointId, pass, read } = await beginOwing();
    const { id: other } = await addEndpoint();
    await emit();
    for (let seconds = 0; seconds < 180; seconds += 15) {
      await pass(15);
      const isBetween = seconds % 30 === 0;
      await db.delivery.updateMany({
        where: { endpointId },
        data: { leaseUntil: isBetween ? null : new Date(clock.now().getTime() + 40_000) },
      });
      expect(await read(), `${seconds} s, the other endpoint waits: ${other}`).toEqual(OK);
    }
  });

  it('are down when a receiver was slow and the attempts have stopped', async () => {
    const { db, emit, pass, read } = await beginOwing();
    await emit();
    await pass(20);
    await db.delivery.updateMany({ data: { leaseUntil: atSecond(40) } });
    await emit();
    await pass(15);
    expect(await read()).toEqual(OK);
    await pass(61);
    expect((await read()).unhealthy).toEqual([['deliveries', 'down', atSecond(95)]]);
  });

  it('the same applies to mail', async () => {
    const { db, pass, read } = await beginOwing();
    await db.mail.create({
      data: {
        id: 'mail_test',
        kind: 'test',
        recipient: 'ops@example.com',
        contentSealed: new Uint8Array(1),
        nextAttemptAt: START,
        createdAt: START,
      },
    });
    await pass(61);
    expect((await read()).unhealthy).toEqual([['mail', 'down', atSecond(60)]]);
    await db.mail.updateMany({ data: { leaseUntil: atSecond(200) } });
    expect(await read()).toEqual(OK);
  });
});

/** A proxy to the database that can be cut off: it accepts connections and drops their data. */
async function openDoor() {
  const { hostname, port } = new URL(database.url);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (isCut) return;
    const inner = connect(Number(port), hostname);
    inner.on('error', () => undefined).on('close', () => socket.destroy());
    socket.on('close', () => inner.destroy());
    socket.on('data', (chunk) => isCut || inner.write(chunk));
    inner.on('data', (chunk) => isCut || socket.write(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(database.url);
  url.host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return {
    url: url.href,
    cut: () => {
      isCut = true;
    },
    mend: () => {
      isCut = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('health without a database', () => {
  it('responds within 3 s although the database hangs, and recovers immediately when it is back', async () => {
    const door = await openDoor();
    const { addMonitor, addWorker, clock, watch, end } = await begin();
    ending = async () => {
      await end();
      await door.close();
    };
    const worker = await addWorker();
    await addMonitor({ regions: ['us-east'] });
    const health = watch({ url: door.url });
    expect((await health.read()).status).toBe('ok');

    door.cut();
    clock.advance(1000);
    const asked = performance.now();
    const hung = await Promise.all([health.read(), health.read()]);
    expect(performance.now() - asked).toBeLessThan(3000);
    for (const { status, parts } of hung) {
      expect(status).toBe('down');
      expect(parts).toEqual([
        {
          name: 'database',
          status: 'down',
          since: atSecond(1),
          message: 'The database does not respond. Check that PostgreSQL is running and reachable.',
        },
      ]);
    }

    // Nobody could write a heartbeat or run a check meanwhile: that alone must not count as down.
    clock.advance(600_000);
    door.mend();
    await expect.poll(async () => (await health.read()).status, { timeout: 15_000 }).toBe('ok');
    clock.advance(15_000);
    await worker.beat();
    expect((await health.read()).status).toBe('ok');
    clock.advance(1000);
    const late = await health.read();
    expect(late.parts.filter(({ status }) => status === 'down').map(({ name }) => name)).toEqual([
      'schedule',
    ]);
  });

  it('is also down if nothing is listening', async () => {
    const { watch } = await begin();
    const health = watch({ url: 'postgresql://nobody:x@127.0.0.1:9/none' });
    const { status, parts } = await health.read();
    expect([status, parts.map(({ name }) => name)]).toEqual(['down', ['database']]);
  });
});

describe('the log', () => {
  it('has one line when a part goes down, and one when it recovers', async () => {
    let looks = 0;
    const descriptors = async () => {
      looks += 1;
      return null;
    };
    const { addWorker, clock, health } = await begin({ descriptors });
    const lines: { part: string; level: number; msg: string }[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
    const worker = await addWorker();
    const stop = health.watch(log, { firstLookMs: 1, lookMs: 5 });
    const lookSeveralTimes = async () => {
      const before = looks;
      await expect.poll(() => looks, { interval: 5 }).toBeGreaterThan(before + 2);
    };
    await lookSeveralTimes();
    worker.hasPending(20_000);
    await worker.beat();
    await lookSeveralTimes();
    worker.hasPending(null);
    clock.advance(2000);
    await worker.beat();
    await lookSeveralTimes();
    stop();
    expect(lines.map(({ level, part, msg }) => [level, part, msg])).toEqual([
      [50, 'recording', expect.stringContaining('health: recording is down: Results that finished 20s ago')],
      [30, 'recording', 'health: recording has recovered'],
    ]);
  });
});
