import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { HealthReport } from './health';
import { atSecond, useHealthStory } from './testing/health-story';

const { atEnd, begin, database } = useHealthStory();

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
  it('responds although the database hangs: as of before for 15 s, then down, and recovers immediately when it is back', async () => {
    const door = await openDoor();
    const { addMonitor, addWorker, clock, watch } = await begin();
    atEnd(door.close);
    const worker = await addWorker();
    await addMonitor({ regions: ['us-east'] });
    const health = watch({ url: door.url });
    expect((await health.read()).status).toBe('ok');

    door.cut();
    clock.advance(15_000);
    const slow = await health.read();
    expect(slow.status).toBe('degraded');
    expect(slow.parts.filter(({ status }) => status !== 'ok')).toEqual([
      {
        name: 'database',
        status: 'degraded',
        since: atSecond(0),
        message:
          'The database responds slowly; the last response was 15s ago. Check the load of PostgreSQL and of this machine.',
      },
    ]);
    expect(slow.parts.map(({ name }) => name)).toContain('region:us-east');

    clock.advance(1000);
    const hung = await Promise.all([health.read(), health.read()]);
    for (const { status, parts } of hung) {
      expect(status).toBe('down');
      expect(parts).toEqual([
        {
          name: 'database',
          status: 'down',
          since: atSecond(16),
          message: 'The database does not respond. Check that PostgreSQL is running and reachable.',
        },
      ]);
    }

    // Nobody could write a heartbeat or run a check meanwhile: that alone must not count as down.
    clock.advance(600_000);
    door.mend();
    await expect.poll(async () => (await health.read()).status).toBe('ok');
    clock.advance(15_000);
    await worker.beat();
    expect((await health.read()).status).toBe('ok');
    clock.advance(1000);
    const late = await health.read();
    expect(late.parts.filter(({ status }) => status === 'down').map(({ name }) => name)).toEqual([
      'schedule',
    ]);
  });

  it('reports what is down while the database is always slow, and allows time to catch up only after a hang', async () => {
    const door = await openDoor();
    const { addMonitor, addWorker, clock, watch } = await begin();
    atEnd(door.close);
    const worker = await addWorker();
    await addMonitor({ regions: ['us-east'] });
    const health = watch({ url: door.url });
    await health.read();
    // Each look is late, and each reading ends before the next one.
    const statusOf = (report: HealthReport, part: string) =>
      report.parts.find(({ name }) => name === part)?.status;
    const downAfter = async (slowMs: number) => {
      door.cut();
      clock.advance(slowMs);
      expect(statusOf(await health.read(), 'database')).toBe('degraded');
      door.mend();
      let report = await health.read();
      while (statusOf(report, 'database') !== 'ok') report = await health.read();
      return report.parts.filter(({ status }) => status === 'down').map(({ name }) => name);
    };
    await downAfter(6000);
    await downAfter(6000);
    await worker.beat();
    expect(await downAfter(6000), 'checks are overdue by 18 s').toEqual(['schedule']);
    await worker.beat();
    expect(await downAfter(14_000), 'nobody could write meanwhile').toEqual([]);
  });

  it('is down immediately if the database refuses connections, or never responded', async () => {
    const door = await openDoor();
    atEnd(door.close);
    const { watch } = await begin();
    const known = watch({ url: door.url });
    expect((await known.read()).parts.length).toBeGreaterThan(1);
    await door.close();
    const refused = watch({ url: 'postgresql://nobody:x@127.0.0.1:9/none' });
    const silent = await openDoor();
    atEnd(silent.close);
    silent.cut();
    for (const health of [known, refused, watch({ url: silent.url })]) {
      const { status, parts } = await health.read();
      expect([status, parts.map(({ name }) => name)]).toEqual(['down', ['database']]);
    }
  });
});
