import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
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
import { startTarget, type Target } from '@/lib/testing/target';

const database = useTestDatabase();
const SHARE = { region: 'us-east', shard: 0, shards: 1 };
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
  return { ctx, services, engine, inOneMinute: () => new Date(Date.now() + 60_000) };
}

/** Accepts connections and never responds. */
async function startSilentServer() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

const monitorOf = (fields: object) => parseInput(createMonitorSchema, { name: 'Shop', ...fields });

describe('the engine', () => {
  it('checks a new monitor within two seconds, even without being woken, and records the result', async () => {
    const { ctx, engine, inOneMinute } = await startEngine();
    const draining = engine.drainChecks(SHARE, inOneMinute());
    const madeAt = Date.now();
    const { id } = await createMonitor(ctx, monitorOf({ url: target.url }));
    await expect.poll(async () => (await getMonitor(ctx, id)).status, { timeout: 5000 }).toBe('operational');
    const firstCheckAt = target.requestedAt[0]?.getTime() ?? Number.POSITIVE_INFINITY;
    expect(firstCheckAt - madeAt).toBeLessThan(2000);
    await engine.stop(1000);
    await draining;
  });

  it('starts a maintenance window on time, between the polls of a quiet drain', async () => {
    const { ctx, engine, inOneMinute } = await startEngine();
    const { id } = await createMonitor(ctx, monitorOf({ url: target.url }));
    const draining = engine.drainDeliveries(inOneMinute());
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
    engine.wake();
    const enteredAt = async () => {
      const where = { monitorId: id, state: 'maintenance' } as const;
      return (await database.db.statusPeriod.findFirst({ where }))?.from.getTime();
    };
    await expect.poll(enteredAt, { timeout: 15_000 }).toBeDefined();
    expect(((await enteredAt()) ?? 0) - startsAt.getTime()).toBeLessThan(1000);
    await engine.stop(1000);
    await draining;
  });

  it('does not let a hanging target delay others', async () => {
    const { ctx, engine, inOneMinute } = await startEngine();
    const silent = await startSilentServer();
    await createMonitor(ctx, monitorOf({ url: silent.url, timeout: 60 }));
    const { id } = await createMonitor(ctx, monitorOf({ url: target.url }));
    const draining = engine.drainChecks(SHARE, inOneMinute());
    await expect.poll(async () => (await getMonitor(ctx, id)).status, { timeout: 5000 }).toBe('operational');
    await engine.stop(1000);
    await draining;
    silent.close();
  });

  it('checks all other monitors if the headers of one cannot be decrypted, which is then unknown, not down', async () => {
    const { ctx, engine, inOneMinute } = await startEngine();
    const bad = await createMonitor(ctx, monitorOf({ url: target.url, headers: { 'X-Token': 't' } }));
    const data = { headersSealed: new Uint8Array([1, 2, 3]) };
    await database.db.monitor.update({ where: { id: bad.id }, data });
    const { id } = await createMonitor(ctx, monitorOf({ url: target.url }));
    const draining = engine.drainChecks(SHARE, inOneMinute());
    await expect.poll(async () => (await getMonitor(ctx, id)).status, { timeout: 5000 }).toBe('operational');
    const resultsOfBad = () => database.db.$queryRaw`
      SELECT outcome, error FROM raw.check_result
       WHERE monitor = (SELECT number FROM monitor WHERE id = ${bad.id})`;
    const error = 'the stored headers or body cannot be decrypted; enter them again and save the monitor';
    await expect.poll(resultsOfBad, { timeout: 5000 }).toEqual([{ outcome: 2, error }]);
    const { status } = await database.db.monitorState.findUniqueOrThrow({ where: { monitorId: bad.id } });
    expect(status).toBe('pending');
    await engine.stop(1000);
    await draining;
  });

  it('begins no more checks than it has slots while results cannot be stored', async () => {
    const { ctx, engine, inOneMinute } = await startEngine();
    const own = await startTarget();
    onTestFinished(own.close);
    const share = { ...SHARE, region: 'ap-southeast' };
    // Begun before anything is due: what is overdue when a drain begins is spread over time.
    const draining = engine.drainChecks(share, inOneMinute());
    await database.db.$transaction(
      async (tx) => {
        await tx.$executeRaw`LOCK TABLE raw.check_result IN SHARE MODE`;
        for (let n = 0; n < 25; n++)
          await createMonitor(ctx, monitorOf({ url: own.url, regions: ['ap-southeast'] }));
        await expect
          .poll(() => engine.recording().pending, { timeout: 15_000 })
          .toBeGreaterThanOrEqual(SLOTS);
        // Another drain looks for a second, and finds no slot.
        await engine.drainChecks(share, new Date(Date.now() + 1000));
        expect(own.requestedAt.length).toBeLessThanOrEqual(SLOTS);
        expect(engine.recording().pending).toBe(SLOTS);
      },
      { timeout: 20_000 },
    );
    await expect.poll(() => own.requestedAt.length, { timeout: 15_000 }).toBe(25);
    await engine.stop(1000);
    await draining;
  });

  it.each(['check claimed', 'check finished'] as const)(
    'drops the result of a worker that stalled at “%s” until another took over its check',
    async (point) => {
      const { ctx, services, engine, inOneMinute } = await startEngine();
      target.respondWith(200);
      const { id } = await createMonitor(ctx, monitorOf({ url: target.url, alertThreshold: 1 }));
      let stop = () => Promise.resolve();
      const stalled = await holdAt(point, async (races) => {
        const other = createTestEngine({ ...services, races }, { workerId: 'wrk_stalled' });
        stop = () => other.stop(10_000);
        await other.drainChecks(SHARE, inOneMinute());
      });
      // It claims nothing more.
      const stopping = stop();
      target.respondWith(503);
      const data = { leaseUntil: new Date(0), nextCheckAt: new Date(0) };
      await database.db.probeSchedule.updateMany({ where: { monitorId: id }, data });
      const draining = engine.drainChecks(SHARE, inOneMinute());
      await expect.poll(async () => (await getMonitor(ctx, id)).status, { timeout: 5000 }).toBe('down');
      await stalled.release();
      await Promise.all([stopping, engine.stop(1000), draining]);
      target.respondWith(200);
      expect(await getMonitor(ctx, id)).toMatchObject({ status: 'down', consecutiveFailures: 1 });
      const results = await database.db.$queryRaw`
        SELECT outcome FROM raw.check_result WHERE monitor = (SELECT number FROM monitor WHERE id = ${id})`;
      expect(results).toEqual([{ outcome: 1 }]);
    },
  );

  it('releases unfinished checks when it stops, so that they run immediately afterwards', async () => {
    const { ctx, engine, inOneMinute } = await startEngine();
    const silent = await startSilentServer();
    const { id } = await createMonitor(ctx, monitorOf({ url: silent.url, timeout: 60 }));
    const draining = engine.drainChecks(SHARE, inOneMinute());
    await expect
      .poll(() => database.db.probeSchedule.findFirst({ where: { monitorId: id } }), { timeout: 5000 })
      .toMatchObject({ claim: expect.any(String) });
    await engine.stop(2000);
    await draining;
    const schedule = await database.db.probeSchedule.findFirstOrThrow({ where: { monitorId: id } });
    expect(schedule).toMatchObject({ claim: null, leaseUntil: null });
    expect(schedule.nextCheckAt.getTime()).toBeLessThanOrEqual(Date.now());
    expect(await getMonitor(ctx, id)).toMatchObject({ status: 'pending', lastCheckedAt: null });
    silent.close();
  });
});
