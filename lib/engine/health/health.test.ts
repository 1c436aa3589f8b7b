import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { setMonitorsEnabled } from '@/lib/domain/monitors/change-selected';
import { createRegion } from '@/lib/domain/regions/change-region';
import { NETWORK_WORKS, type NetworkCondition } from '@/lib/engine/checks/outage-watch';
import { atSecond, START, useHealthStory } from './testing/health-story';

const { begin } = useHealthStory();

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
    const names =
      'database recording network schedule heartbeats deliveries mail upkeep inngest descriptors'.split(' ');
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

  it('is down while a worker is cut off from its network, with what it dropped, and degraded while NETWORK_CANARY is deaf', async () => {
    const { addWorker, clock, health, read } = await begin();
    const worker = await addWorker();
    const probe = await addWorker({ id: 'wrk_two', regions: ['eu-west'], duties: 'probe' });
    let condition: NetworkCondition = { ...NETWORK_WORKS, cutOffAt: START, dropped: 37 };
    probe.setNetworkReader(() => condition);
    clock.advance(5000);
    await probe.beat();
    expect(await read()).toEqual({ status: 'down', unhealthy: [['network', 'down', START]] });
    const { parts } = await health.read();
    expect(parts.find(({ name }) => name === 'network')?.message).toBe(
      'Pharos has been unable to reach the network from eu-west for 5s. Failures to reach targets count as unknown, 37 so far. Check the network of the worker.',
    );
    condition = { ...NETWORK_WORKS, silentCanaryAt: atSecond(2) };
    await probe.beat();
    await worker.beat();
    expect(await read()).toEqual({ status: 'degraded', unhealthy: [['network', 'degraded', atSecond(2)]] });
    condition = NETWORK_WORKS;
    await probe.beat();
    expect(await read()).toEqual(OK);
  });

  it('is down while the oldest check is overdue by more than 15 s, and ok once it has begun', async () => {
    const { addMonitor, addRunner, addWorker, clock, read } = await begin();
    const [worker, runner] = [await addWorker(), addRunner()];
    await addMonitor();
    await runner.sync();
    clock.advance(15_000);
    await worker.beat();
    await runner.sync();
    expect(await read()).toEqual(OK);
    clock.advance(1000);
    expect(await read()).toEqual({ status: 'down', unhealthy: [['schedule', 'down', atSecond(15)]] });
    expect(runner.takeDue(10)).toHaveLength(1);
    await runner.sync();
    expect(await read()).toEqual(OK);
  });

  it('of a process that did not run reports nothing of that time, and what is still so 15 s later', async () => {
    const wall = createManualClock(START);
    const { addMonitor, addWorker, clock, read } = await begin({ wall });
    const worker = await addWorker();
    await addMonitor();
    expect(await read()).toEqual(OK);
    for (const each of [clock, wall]) each.advance(300_000);
    expect(await read()).toEqual(OK);
    await worker.beat();
    const seen: boolean[] = [];
    for (let look = 0; look < 4; look++) {
      for (const each of [clock, wall]) each.advance(5000);
      seen.push((await read()).unhealthy.some(([name]) => name === 'region:us-east'));
    }
    expect(seen).toEqual([false, false, false, true]);
  });

  it('is down while no worker runs the checks of a region for 15 s, and ok once one does', async () => {
    const { addMonitor, addRunner, addWorker, clock, read } = await begin();
    const worker = await addWorker();
    await addMonitor();
    clock.advance(15_000);
    await worker.beat();
    expect(await read()).toEqual(OK);
    clock.advance(1000);
    expect(await read()).toEqual({ status: 'down', unhealthy: [['schedule', 'down', atSecond(15)]] });
    await addRunner().sync();
    expect(await read()).toEqual(OK);
  });

  it('is down while shards have no owner for 15 s although a worker runs checks, and ok once it owns them', async () => {
    const { addMonitor, addRunner, addWorker, clock, db, read } = await begin();
    const worker = await addWorker();
    await addMonitor();
    const [stopped, other] = [addRunner({ id: 'wrk_stopped' }), addRunner()];
    await stopped.sync();
    await stopped.release();
    await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM raw.shard_lease WHERE shard = 7 FOR UPDATE`;
      clock.advance(15_000);
      await worker.beat();
      await other.sync();
      expect(await read()).toEqual(OK);
      clock.advance(1000);
      expect(await read()).toEqual({ status: 'down', unhealthy: [['schedule', 'down', atSecond(15)]] });
    });
    await other.sync();
    other.takeDue(10);
    await other.sync();
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

  it('has own regions in one part that names none, and is degraded by them at most', async () => {
    const { addMonitor, addWorker, clock, ctx, health, read } = await begin();
    const home = await addWorker();
    const [office, depot] = [
      await createRegion(ctx, { name: 'Office', place: 'hamburg' }),
      await createRegion(ctx, { name: 'Depot', place: 'oslo' }),
    ];
    const far = await addWorker({ id: 'prt_far', regions: [office.id], duties: 'probe' });
    await addMonitor({ regions: [office.id] });
    far.hasPending(60_000);
    await far.beat();
    expect((await read()).unhealthy).toEqual([['own-regions', 'degraded', expect.anything()]]);
    far.hasPending(null);
    clock.advance(3_600_000);
    await Promise.all([home.beat(), far.beat()]);
    const overdue = await read();
    expect([overdue.status, overdue.unhealthy.map(([name]) => name)]).toEqual(['degraded', ['own-regions']]);
    await addMonitor({ regions: [depot.id] });
    const parts = (await health.read()).parts.filter(({ name }) => /region|loc/.test(name));
    expect(parts).toMatchObject([{ name: 'own-regions', status: 'degraded' }]);
    expect(JSON.stringify(parts)).not.toMatch(/loc_|Office|Depot|Acme/);
    expect(parts[0]?.message).toMatch(/^2 of 2 own regions/);
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

  it('is degraded while a job of the timetable has run well on no worker for too long, and names it', async () => {
    const { addWorker, clock, health, read } = await begin();
    const report = { job: 'maintenance windows', lateAt: atSecond(62).toISOString() };
    const failing = await addWorker();
    failing.setJobsReader(() => [
      { ...report, ranAt: START.toISOString(), failedAt: atSecond(60).toISOString() },
    ]);
    const other = await addWorker({ id: 'wrk_two' });
    let [lateAt, ranAt] = [atSecond(62).toISOString(), START.toISOString()];
    other.setJobsReader(() => [{ ...report, lateAt, ranAt, failedAt: null }]);
    const beat = async (seconds: number) => {
      clock.advance(seconds * 1000);
      await Promise.all([failing.beat(), other.beat()]);
    };
    await beat(62);
    expect(await read()).toEqual(OK);
    await beat(1);
    expect(await read()).toEqual({ status: 'degraded', unhealthy: [['upkeep', 'degraded', atSecond(62)]] });
    const { parts } = await health.read();
    expect(parts.find(({ name }) => name === 'upkeep')?.message).toContain(
      'maintenance windows (last 1m ago; failed 3s ago)',
    );
    [lateAt, ranAt] = [atSecond(125).toISOString(), atSecond(63).toISOString()];
    await beat(1);
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

  it('is degraded while scheduled backups fail, and has no such part if none are scheduled', async () => {
    const { addWorker, clock, db, read, health } = await begin();
    const worker = await addWorker();
    const findPart = async () => (await health.read()).parts.find(({ name }) => name === 'backups');
    expect(await findPart()).toBeUndefined();
    const watch = (data: { failedAt?: Date | null; succeededAt?: Date }) =>
      db.scheduledBackup.upsert({
        where: { id: 1 },
        create: { id: 1, watchedAt: clock.now(), ...data },
        update: { watchedAt: clock.now(), ...data },
      });
    await watch({ succeededAt: START });
    expect(await findPart()).toMatchObject({ status: 'ok', message: 'The last one succeeded 0s ago.' });
    clock.advance(1000);
    await watch({ failedAt: atSecond(1) });
    expect(await read()).toEqual({ status: 'degraded', unhealthy: [['backups', 'degraded', atSecond(1)]] });
    clock.advance(3_601_000);
    await worker.beat();
    expect(await findPart()).toBeUndefined();
    await db.scheduledBackup.deleteMany();
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
