import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WAIT_MS } from '@/bin/testing/patience.mjs';
import { createWake } from '@/lib/core/time/wake';
import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { createTestEngine, SLOTS } from '@/lib/engine/testing/test-engine';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { createMaintenanceSchema } from '@/lib/schemas/maintenance';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput } from '@/lib/schemas/validation';
import { useTestDatabase } from '@/lib/testing/database';
import { holdAt } from '@/lib/testing/races';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { startTarget, type Target } from '@/lib/testing/target';

const database = useTestDatabase();
const REGION = 'us-east';
let target: Target;

beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.close());

async function startEngine() {
  const services = createTestServices({ db: database.db });
  await ensureResultPartitions(database.db, services.clock.now());
  const { ctx } = await createTestOrganization(services);
  const engine = createTestEngine(services);
  onTestFinished(() => engine.stop(0));
  return { ctx, services, engine };
}

/** Accepts connections, which it counts, and never responds. */
async function startSilentServer() {
  let connections = 0;
  const server = createServer(() => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/`, connections: () => connections, close: () => server.close() };
}

const monitorOf = (fields: object) => parseInput(createMonitorSchema, { name: 'Shop', ...fields });

describe('the engine', () => {
  it('checks a new monitor, even without being woken, and records the result', async () => {
    const { ctx, engine } = await startEngine();
    engine.startChecks(REGION);
    const { id } = await createMonitor(ctx, monitorOf({ url: target.url }));
    await expect.poll(async () => (await getMonitor(ctx, id)).status).toBe('operational');
    expect(target.requestedAt).toHaveLength(1);
    await engine.stop(1000);
  });

  it('starts a maintenance window when it begins, between the runs of its job', async () => {
    const { ctx, engine } = await startEngine();
    const { id } = await createMonitor(ctx, monitorOf({ url: target.url }));
    engine.startTimetable();
    const startsAt = new Date(Date.now() + 2500);
    const endsAt = new Date(startsAt.getTime() + 60_000);
    const plan = {
      title: 'Upgrade',
      monitors: [id],
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
    };
    await createMaintenance(ctx, parseInput(createMaintenanceSchema, plan));
    // What the notification does in a worker.
    engine.wakeDeliveries();
    const enteredAt = async () => {
      const where = { monitorId: id, state: 'maintenance' } as const;
      return (await database.db.statusPeriod.findFirst({ where }))?.from.getTime();
    };
    await expect.poll(enteredAt).toBeDefined();
    expect(await enteredAt()).toBeGreaterThanOrEqual(startsAt.getTime());
    await engine.stop(1000);
  });

  it('searches for deliveries no more often because checks run', async () => {
    const counting = openCountingDatabase(database.url);
    onTestFinished(() => counting.db.$disconnect());
    const engine = createTestEngine(createTestServices({ db: counting.db }));
    engine.startChecks(REGION);
    const draining = engine.drainDeliveries(new Date(Date.now() + 60_000));
    const syncs = () => counting.seen('UPDATE raw.check_runner');
    const searches = () => counting.seen('WITH RECURSIVE');
    const before = { syncs: syncs(), searches: searches() };
    for (let sync = 1; sync <= 20; sync++) {
      engine.wakeChecks();
      await expect.poll(syncs, { interval: 10 }).toBeGreaterThanOrEqual(before.syncs + sync);
    }
    expect(searches() - before.searches).toBeLessThan(10);
    await engine.stop(1000);
    await draining;
  });

  it('asks together at rest: its regions report by one statement, deliveries and deadlines look by one', async () => {
    const counting = openCountingDatabase(database.url);
    const engine = createTestEngine(createTestServices({ db: counting.db }));
    onTestFinished(async () => {
      await engine.stop(0);
      await counting.db.$disconnect();
    });
    const regions = ['us-east', 'eu-west', 'ap-southeast'];
    for (const region of regions) engine.startChecks(region);
    const until = new Date(Date.now() + 60_000);
    void engine.drainDeliveries(until);
    void engine.drainDeadlines(until);
    const beats = () => counting.given('UPDATE raw.check_runner').map(([reports]) => String(reports));
    await expect
      .poll(() => beats().filter((beat) => regions.every((id) => beat.includes(id))).length)
      .toBeGreaterThan(2);
    const deadlinesAfterAnother = '(1, (SELECT (SELECT min(deadline_at) FROM heartbeat)';
    await expect.poll(() => counting.seen(deadlinesAfterAnother)).toBeGreaterThan(2);
  });

  it('does not let one organization take every slot, also if it is alone in its region', async () => {
    const { ctx, services, engine } = await startEngine();
    const other = await createTestOrganization(services);
    const silent = await startSilentServer();
    onTestFinished(() => void silent.close());
    for (const region of ['ap-southeast', 'eu-west']) engine.startChecks(region);
    const isOperational = async (url: string) => {
      const { id } = await createMonitor(ctx, monitorOf({ url, regions: ['eu-west'] }));
      await expect.poll(async () => (await getMonitor(ctx, id)).status).toBe('operational');
    };
    await isOperational(target.url);
    const hanging = monitorOf({ url: silent.url, timeout: 60, regions: ['ap-southeast'] });
    for (let n = 0; n < 2 * SLOTS; n++) await createMonitor(other.ctx, hanging);
    await expect.poll(silent.connections).toBe(SLOTS - 1);
    await isOperational(target.url);
    await engine.stop(0);
  });

  it('does not let a hanging target delay others', async () => {
    const { ctx, engine } = await startEngine();
    const silent = await startSilentServer();
    await createMonitor(ctx, monitorOf({ url: silent.url, timeout: 60 }));
    const { id } = await createMonitor(ctx, monitorOf({ url: target.url }));
    engine.startChecks(REGION);
    await expect.poll(async () => (await getMonitor(ctx, id)).status).toBe('operational');
    await engine.stop(1000);
    silent.close();
  });

  it('checks all other monitors if the headers of one cannot be decrypted, which is then unknown, not down', async () => {
    const { ctx, engine } = await startEngine();
    const bad = await createMonitor(ctx, monitorOf({ url: target.url, headers: { 'X-Token': 't' } }));
    const data = { headersSealed: new Uint8Array([1, 2, 3]) };
    await database.db.monitor.update({ where: { id: bad.id }, data });
    const { id } = await createMonitor(ctx, monitorOf({ url: target.url }));
    engine.startChecks(REGION);
    await expect.poll(async () => (await getMonitor(ctx, id)).status).toBe('operational');
    const resultsOfBad = () => database.db.$queryRaw`
      SELECT outcome, error FROM raw.check_result
       WHERE monitor = (SELECT number FROM monitor WHERE id = ${bad.id})`;
    const error = 'the stored headers or body cannot be decrypted; enter them again and save the monitor';
    await expect.poll(resultsOfBad).toEqual([{ outcome: 2, error }]);
    const { status } = await database.db.monitorState.findUniqueOrThrow({ where: { monitorId: bad.id } });
    expect(status).toBe('pending');
    await engine.stop(1000);
  });

  it('begins no more checks than it has slots while results cannot be stored', async () => {
    const { ctx, engine } = await startEngine();
    const own = await startTarget();
    onTestFinished(own.close);
    const region = 'ap-southeast';
    // Begun before anything is due: what is overdue when a drain begins is spread over time.
    engine.startChecks(region);
    await database.db.$transaction(
      async (tx) => {
        await tx.$executeRaw`LOCK TABLE raw.check_result IN SHARE MODE`;
        for (let n = 0; n < 25; n++)
          await createMonitor(ctx, monitorOf({ url: `${own.url}/${n}`, regions: [region] }));
        await expect.poll(() => engine.recording().pending).toBeGreaterThanOrEqual(SLOTS);
        // The worker has looked, and reports what finds no slot.
        await expect.poll(() => engine.dueAt.checks(region)).not.toBeNull();
        expect(own.paths.size).toBeLessThanOrEqual(SLOTS);
        expect(engine.recording().pending).toBe(SLOTS);
      },
      { timeout: WAIT_MS },
    );
    // A busy machine stalls, after which overdue checks are spread over time.
    await expect.poll(() => own.paths.size).toBe(25);
    await engine.stop(1000);
  });

  it.each(['check taken', 'check finished'] as const)(
    'drops the result of a worker that stalled at “%s” until another took over its shards',
    async (point) => {
      const { ctx, services, engine } = await startEngine();
      target.respondWith(200);
      const { id } = await createMonitor(ctx, monitorOf({ url: target.url, alertThreshold: 1 }));
      let stop = () => Promise.resolve();
      const ending = createWake();
      const stalled = await holdAt(point, async (races) => {
        const other = createTestEngine({ ...services, races }, { workerId: 'wrk_stalled' });
        stop = () => other.stop(10_000);
        other.startChecks(REGION);
        await ending.sleep(60_000);
      });
      // It begins nothing more.
      const stopping = stop().finally(ending.ring);
      target.respondWith(503);
      // As after ten seconds.
      await database.db.$executeRaw`DELETE FROM raw.check_runner WHERE worker_id = 'wrk_stalled'`;
      engine.startChecks(REGION);
      await expect.poll(async () => (await getMonitor(ctx, id)).status).toBe('down');
      await stalled.release();
      await Promise.all([stopping, engine.stop(1000)]);
      target.respondWith(200);
      expect(await getMonitor(ctx, id)).toMatchObject({ status: 'down', consecutiveFailures: 1 });
      const results = await database.db.$queryRaw`
        SELECT outcome FROM raw.check_result WHERE monitor = (SELECT number FROM monitor WHERE id = ${id})`;
      expect(results).toEqual([{ outcome: 1 }]);
    },
  );

  it('hands its shards over a few at a time when it stops, if another worker is there', async () => {
    const counting = openCountingDatabase(database.url);
    onTestFinished(() => counting.db.$disconnect());
    const first = createTestEngine(createTestServices({ db: counting.db }), { workerId: 'wrk_first' });
    const second = createTestEngine(createTestServices({ db: database.db }), { workerId: 'wrk_second' });
    const owners = async () => {
      const rows = await database.db.$queryRaw<{ owner: string }[]>`
        SELECT DISTINCT owner FROM raw.shard_lease WHERE region = ${REGION} AND owner IS NOT NULL ORDER BY owner`;
      return rows.map(({ owner }) => owner);
    };
    first.startChecks(REGION);
    await expect.poll(owners).toEqual(['wrk_first']);
    second.startChecks(REGION);
    await expect.poll(owners).toEqual(['wrk_first', 'wrk_second']);
    // What the notification does in a worker.
    const ringing = setInterval(second.wakeChecks, 20);
    onTestFinished(() => clearInterval(ringing));
    const releases = counting.seen('released AS');
    await first.stop(10_000);
    expect(counting.seen('released AS') - releases).toBeGreaterThan(3);
    await expect.poll(owners).toEqual(['wrk_second']);
    await second.stop(1000);
  });

  it('gives up its shards when it stops, so that another worker runs unfinished checks immediately', async () => {
    const { ctx, services, engine } = await startEngine();
    const silent = await startSilentServer();
    onTestFinished(() => void silent.close());
    const { id } = await createMonitor(ctx, monitorOf({ url: silent.url, timeout: 60 }));
    engine.startChecks(REGION);
    await expect.poll(silent.connections).toBe(1);
    await engine.stop(2000);
    const owned = await database.db.$queryRaw`SELECT FROM raw.shard_lease WHERE owner IS NOT NULL`;
    expect(owned).toEqual([]);
    expect(await getMonitor(ctx, id)).toMatchObject({ status: 'pending', lastCheckedAt: null });

    const second = createTestEngine(services, { workerId: 'wrk_second' });
    second.startChecks(REGION);
    await expect.poll(silent.connections).toBe(2);
    await second.stop(2000);
  });
});
