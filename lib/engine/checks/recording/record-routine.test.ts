import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProbeResult } from '@/lib/checks/result';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { readStanding } from '@/lib/domain/monitors/read-standings';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { tickSilentMonitors } from '@/lib/engine/checks/tick-monitors';
import { beginStory, FAILED, OK, recordAsOwner, SLOW, START } from '@/lib/engine/testing/story';
import type { Database } from '@/lib/platform/db/client';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { holdAt, holdBeforeCommit, untilBlocked } from '@/lib/testing/races';
import { leaseKey } from './fence';
import { recordResults } from './record-results';
import { routineQuery } from './record-routine';

const database = useTestDatabase();
// A tick finds the monitors of every test.
beforeEach(() => database.db.organization.deleteMany());
const MINUTE = 60_000;

/** A monitor that is operational in all its regions. */
async function begin({
  regions = ['us-east'],
  ...fields
}: {
  regions?: string[];
  alertThreshold?: number;
} = {}) {
  const story = await beginStory(database.db);
  const { services, ctx, clock } = story;
  const { id } = await story.addMonitor({ alertThreshold: 1, regions, ...fields });
  for (const region of regions) await story.check(OK, { region, afterMs: 0 });
  const record = async (region: string, result: ProbeResult, db: Database = database.db) => {
    const [check] = await story.take(region);
    if (!check) throw new Error(`nothing was due in ${region}`);
    return recordAsOwner({ ...services, db }, [{ check, startedAt: clock.now(), result }]);
  };
  return {
    ...story,
    id,
    record,
    /** Passes a minute, and records what each region sees then. */
    pass: async (seen: Record<string, ProbeResult>) => {
      clock.advance(90_000);
      for (const [region, result] of Object.entries(seen)) expect(await record(region, result)).toBe(1);
    },
    monitor: () => getMonitor(ctx, id),
    /** The stored state, which routine results leave alone. */
    state: () => database.db.monitorState.findUniqueOrThrow({ where: { monitorId: id } }),
    /** The mark in the stored state. */
    isContested: async () => {
      const rows = await database.db.$queryRaw<{ mark: unknown }[]>`
        SELECT machine->'isContested' AS mark FROM monitor_state WHERE monitor_id = ${id}`;
      return rows[0]?.mark ?? true;
    },
    statuses: async () =>
      (await database.db.statusPeriod.findMany({ where: { monitorId: id }, orderBy: { id: 'asc' } })).map(
        ({ state }) => state,
      ),
    stored: async () => {
      const [row] = await database.db.$queryRaw<[{ count: number }]>`
        SELECT count(*)::int AS count FROM raw.check_result JOIN monitor ON number = monitor WHERE id = ${id}`;
      return row.count;
    },
  };
}

describe('a routine result', () => {
  it('is stored and shown, and leaves the state alone', async () => {
    const { clock, pass, monitor, state, stored, isContested } = await begin();
    const before = await state();
    await pass({ 'us-east': { ...OK, responseTime: 34 } });
    expect(await state()).toEqual(before);
    expect(await isContested()).toBe(false);
    expect(await stored()).toBe(2);
    expect(await monitor()).toMatchObject({
      status: 'operational',
      lastCheckedAt: clock.now().toISOString(),
      lastResponseTime: 34,
      noDataSince: null,
    });
  });

  it('keeps the vote of its region until the next decision', async () => {
    const { pass, monitor, statuses } = await begin({ regions: ['us-east', 'eu-west'] });
    for (let round = 0; round < 6; round++) await pass({ 'us-east': OK, 'eu-west': OK });
    await pass({ 'eu-west': OK, 'us-east': FAILED });
    await pass({ 'eu-west': OK, 'us-east': FAILED });
    expect(await monitor()).toMatchObject({ status: 'degraded' });
    expect(await statuses()).toEqual(['pending', 'operational', 'degraded']);
  });

  it('is none while regions disagree: all are decided upon until they agree again', async () => {
    const { pass, monitor, isContested, statuses } = await begin({ regions: ['us-east', 'eu-west'] });
    await pass({ 'us-east': FAILED });
    expect(await isContested()).toBe(true);
    await pass({ 'us-east': FAILED, 'eu-west': FAILED });
    expect(await isContested()).toBe('down');
    await pass({ 'us-east': OK });
    expect(await isContested()).toBe(true);
    await pass({ 'us-east': OK, 'eu-west': OK });
    expect(await monitor()).toMatchObject({ status: 'operational', consecutiveFailures: 0 });
    expect(await isContested()).toBe(false);
    expect(await statuses()).toEqual(['pending', 'operational', 'down', 'operational']);
  });

  it('is neither slow, nor late, nor the first that sees a certificate', async () => {
    const { ctx, clock, id, pass, state, statuses } = await begin();
    const machine = async () => JSON.stringify((await state()).machine);
    const decides = async (step: () => Promise<unknown>) => {
      const before = await machine();
      await step();
      return (await machine()) !== before;
    };
    expect(await decides(() => pass({ 'us-east': OK }))).toBe(false);
    expect(await decides(() => pass({ 'us-east': SLOW }))).toBe(true);
    await pass({ 'us-east': OK });
    const secure = { ...OK, certificateExpiresAt: new Date(START.getTime() + 90 * 86_400_000) };
    expect(await decides(() => pass({ 'us-east': secure }))).toBe(true);
    expect((await readStanding(ctx, id)).certificateEnd).toEqual(secure.certificateExpiresAt);
    expect(await decides(() => pass({ 'us-east': secure }))).toBe(false);
    clock.advance(5 * MINUTE);
    expect(await decides(() => pass({ 'us-east': secure }))).toBe(true);
    expect(await statuses()).toContain('unknown');
  });

  it.each([
    ['a success', OK],
    ['a failure while it is down', FAILED],
  ])('%s proves that the monitor is not silent, until its regions are', async (_, result) => {
    const { services, clock, pass, monitor, statuses } = await begin();
    for (let round = 0; round < 5; round++) {
      await pass({ 'us-east': result });
      expect(await tickSilentMonitors(services)).toBe(0);
    }
    clock.advance(4 * MINUTE);
    expect(await tickSilentMonitors(services)).toBe(1);
    expect((await monitor()).noDataSince).not.toBeNull();
    expect((await statuses()).at(-1)).toBe('unknown');
  });

  it('is still the last one after a pause, and after an edit every result is decided upon', async () => {
    const { ctx, id, clock, pass, monitor, isContested } = await begin();
    await pass({ 'us-east': OK });
    const lastCheckedAt = clock.now().toISOString();
    await updateMonitor(ctx, id, { degradedThreshold: 10 });
    expect(await isContested()).toBe(true);
    await updateMonitor(ctx, id, { enabled: false });
    expect(await monitor()).toMatchObject({ enabled: false, lastCheckedAt, lastResponseTime: 12 });
  });
});

describe('a failure of a monitor that stays down', () => {
  const OTHER: ProbeResult = { ...FAILED, error: { code: 'connect', message: 'connection refused' } };

  it('is stored, counted and shown, and leaves the state alone', async () => {
    const { ctx, id, clock, pass, monitor, state, stored, isContested } = await begin();
    await pass({ 'us-east': FAILED });
    const before = await state();
    for (let round = 0; round < 3; round++) await pass({ 'us-east': { ...FAILED, responseTime: 34 } });
    expect(await state()).toEqual(before);
    expect(await isContested()).toBe('down');
    expect(await stored()).toBe(5);
    expect(await monitor()).toMatchObject({
      status: 'down',
      consecutiveFailures: 4,
      lastCheckedAt: clock.now().toISOString(),
      lastResponseTime: 34,
      noDataSince: null,
    });
    const { votes } = await readStanding(ctx, id);
    expect(votes).toMatchObject([{ verdict: 'failing', failures: 4, vote: true, error: FAILED.error }]);
  });

  it('is decided upon if it failed for another reason, which is shown', async () => {
    const { ctx, id, pass, monitor } = await begin();
    for (const result of [FAILED, FAILED, OTHER, OTHER]) await pass({ 'us-east': result });
    expect(await monitor()).toMatchObject({ consecutiveFailures: 4 });
    expect((await readStanding(ctx, id)).votes).toMatchObject([{ failures: 4, error: OTHER.error }]);
  });

  it('counts as far as a majority of the regions agrees', async () => {
    const { pass, monitor } = await begin({ regions: ['us-east', 'eu-west', 'ap-southeast'] });
    const all = { 'us-east': FAILED, 'eu-west': FAILED, 'ap-southeast': FAILED };
    for (let round = 0; round < 3; round++) await pass(all);
    await pass({ 'us-east': FAILED });
    expect(await monitor()).toMatchObject({ status: 'down', consecutiveFailures: 3 });
    await pass({ 'us-east': FAILED, 'eu-west': FAILED });
    expect(await monitor()).toMatchObject({ status: 'down', consecutiveFailures: 4 });
  });

  it('is decided upon every half hour, so that there is never much to count', async () => {
    const { pass, monitor, state } = await begin();
    await pass({ 'us-east': FAILED });
    const versions = new Set<string>();
    for (let round = 0; round < 45; round++) {
      await pass({ 'us-east': FAILED });
      versions.add(JSON.stringify((await state()).machine));
    }
    expect(versions.size).toBe(3);
    expect(await monitor()).toMatchObject({ consecutiveFailures: 46 });
  });

  it('is counted after an edit, and not again', async () => {
    const { ctx, id, pass, monitor, isContested } = await begin();
    for (let round = 0; round < 3; round++) await pass({ 'us-east': FAILED });
    await updateMonitor(ctx, id, { degradedThreshold: 10 });
    expect(await isContested()).toBe(true);
    expect(await monitor()).toMatchObject({ status: 'down', consecutiveFailures: 3 });
    await pass({ 'us-east': FAILED });
    expect(await monitor()).toMatchObject({ status: 'down', consecutiveFailures: 4 });
  });

  it('is decided upon while a worker of a version runs that knows no routine failures', async () => {
    const { clock, pass, state, monitor } = await begin();
    await pass({ 'us-east': FAILED });
    const now = clock.now();
    await database.db.worker.create({
      data: { id: 'old', regions: ['us-east'], startedAt: now, seenAt: now },
    });
    const before = await state();
    await pass({ 'us-east': FAILED });
    expect(await state()).not.toEqual(before);
    await database.db.worker.deleteMany();
    const last = await state();
    await pass({ 'us-east': FAILED });
    expect(await state()).toEqual(last);
    expect(await monitor()).toMatchObject({ consecutiveFailures: 3 });
  });

  it('does not delay the recovery', async () => {
    const { pass, monitor, statuses } = await begin();
    for (let round = 0; round < 3; round++) await pass({ 'us-east': FAILED });
    await pass({ 'us-east': OK });
    expect(await monitor()).toMatchObject({ status: 'operational', consecutiveFailures: 0 });
    expect(await statuses()).toEqual(['pending', 'operational', 'down', 'operational']);
  });
});

describe('whether the next results can be routine', () => {
  /** The owners of how many regions have to read the monitor again, since the last call. */
  const countNotified = async (id: string) => {
    const deleted = await database.db.$queryRaw<{ region: string }[]>`
      DELETE FROM raw.schedule_change WHERE monitor_id = ${id} RETURNING region`;
    return new Set(deleted.map(({ region }) => region)).size;
  };

  it('is known to the only owner, which has decided it', async () => {
    const { id, clock, take, pass, isContested, record } = await begin();
    clock.advance(90_000);
    const [owned] = await take('us-east');
    await countNotified(id);
    for (const result of [SLOW, OK, FAILED, OK]) {
      await pass({ 'us-east': result });
      expect(owned?.monitor.isContested ?? null).toBe(result === SLOW);
      expect((await isContested()) === true).toBe(result === SLOW);
    }
    expect(await countNotified(id)).toBe(0);
    clock.advance(90_000);
    expect(await record('us-east', OK)).toBe(1);
  });

  it.each([
    ['the other owners, if there are several', ['us-east', 'eu-west', 'ap-southeast'], 'us-east'],
    ['the owner, if a worker decides that does not keep its schedule', ['us-east'], null],
  ])('is read again by %s', async (_, regions, owner) => {
    const { id, clock, services, take, pass } = await begin({ regions });
    await countNotified(id);
    if (owner) await pass({ [owner]: FAILED });
    else {
      clock.advance(90_000);
      const finished = (await take()).map((check) => ({ check, startedAt: clock.now(), result: FAILED }));
      await recordResults(services, finished);
    }
    expect(await countNotified(id)).toBe(regions.length);
  });

  it.each([
    ['has dropped the monitor meanwhile', true, ['us-east']],
    ['knows it with several regions', false, ['us-east', 'eu-west']],
  ])('is read again by the only owner if it %s', async (_, isOutdated, regions) => {
    const { id, clock, services, take } = await begin();
    clock.advance(90_000);
    const [check] = await take();
    if (!check) throw new Error('nothing was due');
    await countNotified(id);
    const monitor = { ...check.monitor, isOutdated, config: { ...check.monitor.config, regions } };
    const finished = [{ check: { ...check, monitor }, startedAt: clock.now(), result: FAILED }];
    expect(await recordAsOwner(services, finished)).toBe(1);
    expect(await countNotified(id)).toBe(1);
  });

  it('is read again by the owner if the clock alone decides', async () => {
    const { id, services, clock } = await begin();
    await countNotified(id);
    clock.advance(20 * MINUTE);
    expect(await tickSilentMonitors(services)).toBe(1);
    expect(await countNotified(id)).toBe(1);
  });

  it.each(['before its result is recorded', 'while its result is recorded'])(
    'is in doubt if the owner reads the monitor again %s: a result of the next check is decided upon',
    async (when) => {
      const { id, clock, services, take, state } = await begin({ alertThreshold: 3 });
      const readAgain = async () => {
        clock.advance(1000);
        await database.db.probeSchedule.updateMany({
          where: { monitorId: id },
          data: { nextCheckAt: clock.now() },
        });
        return take();
      };
      clock.advance(90_000);
      const [check] = await take();
      if (!check) throw new Error('nothing was due');
      const finished = [{ check, startedAt: clock.now(), result: FAILED }];
      const fail = (db: Database = database.db) => recordAsOwner({ ...services, db }, finished);
      const begun = when.startsWith('while') ? await holdBeforeCommit(database.db, fail) : null;
      const [next] = await readAgain();
      expect(next?.monitor).not.toBe(check.monitor);
      await (begun ? begun.release() : fail());
      if (!next) throw new Error('nothing was due');
      const before = await state();
      clock.advance(1000);
      const success = [{ check: next, startedAt: clock.now(), result: OK }];
      expect(await recordAsOwner(services, success)).toBe(1);
      expect(await state()).not.toEqual(before);
    },
  );

  it('stays in doubt if the decision failed: the next result is decided upon', async () => {
    const { clock, services, take, state } = await begin();
    clock.advance(90_000);
    const [check] = await take();
    if (!check) throw new Error('nothing was due');
    expect(check.monitor.isContested).toBe(false);
    const lost = { reach: () => Promise.reject(new Error('the connection was closed')) };
    const failure = [{ check, startedAt: clock.now(), result: FAILED }];
    await expect(recordAsOwner({ ...services, races: lost }, failure)).rejects.toThrow('was closed');
    expect(check.monitor.isContested).toBe(true);
    clock.advance(MINUTE);
    const before = await state();
    expect(await recordAsOwner(services, [{ check, startedAt: clock.now(), result: FAILED }])).toBe(1);
    expect(await state()).not.toEqual(before);
    expect(check.monitor.isContested).toBe(false);
  });
});

describe('at the same moment', () => {
  it('a failure elsewhere is decided upon with the routine result that was being recorded', async () => {
    const { clock, record, monitor, statuses } = await begin({ regions: ['us-east', 'eu-west'] });
    clock.advance(90_000);
    const routine = await holdBeforeCommit(database.db, (db) => record('eu-west', OK, db));
    const failure = record('us-east', FAILED);
    await untilBlocked(database.db);
    await routine.release();
    expect(await failure).toBe(1);
    // Settled at once: eu-west has reported since.
    expect(await monitor()).toMatchObject({ status: 'degraded' });
    expect(await statuses()).toEqual(['pending', 'operational', 'degraded']);
  });

  it('a result is decided upon if the monitor became contested while it was being recorded', async () => {
    const { clock, services, take, record, monitor, stored } = await begin({
      regions: ['us-east', 'eu-west'],
    });
    clock.advance(90_000);
    const [check] = await take('eu-west');
    if (!check) throw new Error('nothing was due');
    expect(check.monitor.isContested).toBe(false);
    const failure = await holdBeforeCommit(database.db, (db) => record('us-east', FAILED, db));
    const startedAt = clock.now();
    const routine = recordResults(services, [{ check, startedAt, result: OK }]);
    await untilBlocked(database.db);
    await failure.release();
    expect(await routine).toBe(1);
    expect(await stored()).toBe(4);
    expect(await monitor()).toMatchObject({ status: 'degraded' });
  });

  it('a failure is decided upon if the monitor recovered elsewhere while it was being recorded', async () => {
    const { clock, services, take, pass, record, state } = await begin({ regions: ['us-east', 'eu-west'] });
    for (let round = 0; round < 2; round++) await pass({ 'us-east': FAILED, 'eu-west': FAILED });
    clock.advance(90_000);
    const [check] = await take('eu-west');
    if (!check) throw new Error('nothing was due');
    expect(check.monitor.isContested).toBe(false);
    const recovery = await holdBeforeCommit(database.db, (db) => record('us-east', OK, db));
    const startedAt = clock.now();
    const failure = recordResults(services, [{ check, startedAt, result: FAILED }]);
    await untilBlocked(database.db);
    await recovery.release();
    expect(await failure).toBe(1);
    expect((await state()).machine).toMatchObject({
      regions: { 'eu-west': { startedAt: startedAt.getTime(), failures: 3 } },
    });
  });

  it('a batch that is written again, since no response came, is stored once', async () => {
    const { clock, services, take, stored } = await begin();
    clock.advance(90_000);
    const [check] = await take('us-east');
    if (!check) throw new Error('nothing was due');
    const finished = [{ check, startedAt: clock.now(), result: OK }];
    const batch = { id: randomUUID(), routine: null };
    await Promise.all([
      recordResults(services, finished, { ...batch }),
      recordResults(services, finished, { ...batch }),
    ]);
    expect(await stored()).toBe(2);
  });

  it('a decision that is held does not lose what it was reading', async () => {
    const { clock, services, take, record, monitor } = await begin({ regions: ['us-east', 'eu-west'] });
    clock.advance(90_000);
    const [check] = await take('us-east');
    if (!check) throw new Error('nothing was due');
    const finished = [{ check, startedAt: clock.now(), result: FAILED }];
    const failure = await holdAt('states locked', (races) => recordResults({ ...services, races }, finished));
    expect(await record('eu-west', OK)).toBe(1);
    await failure.release();
    expect(await monitor()).toMatchObject({ status: 'degraded' });
  });
});

it('a monitor with a damaged state can still be paused', async () => {
  const { ctx, id, pass, monitor } = await begin();
  await pass({ 'us-east': OK });
  const machine = { status: 'operational', regions: null, floor: 0 };
  await database.db.monitorState.update({ where: { monitorId: id }, data: { machine } });
  await updateMonitor(ctx, id, { enabled: false });
  expect(await monitor()).toMatchObject({ enabled: false, lastResponseTime: 12 });
});

it('a state written by a version that knows no routine results makes its monitor contested', async () => {
  const { id, pass, isContested } = await begin();
  await pass({ 'us-east': OK });
  expect(await isContested()).toBe(false);
  await database.db.$executeRaw`
    UPDATE monitor_state SET machine = machine - 'isContested' WHERE monitor_id = ${id}`;
  expect(await isContested()).toBe(true);
});

it('storing reads only the changes that the worker has not seen', async () => {
  const { id, clock, take } = await begin();
  clock.advance(90_000);
  const [check] = await take('us-east');
  if (!check) throw new Error('nothing was due');
  await database.db.$executeRaw`
    INSERT INTO raw.schedule_change (region, xid, monitor_id)
    SELECT 'us-east', '5'::xid8, ${id} FROM generate_series(1, 3000)`;
  await database.db.$executeRaw`ANALYZE raw.schedule_change`;
  const finished = [{ check, startedAt: clock.now(), result: OK }];
  const { steps, pages } = await explain(
    database.db,
    routineQuery(finished, new Set(finished.map(leaseKey))),
  );
  expect(steps.filter(({ type, loops }) => type === 'Seq Scan' && loops > 0)).toEqual([]);
  expect(steps).toContainEqual(expect.objectContaining({ index: 'schedule_change_region_xid' }));
  expect(pages, 'those that it has seen fill 20').toBeLessThan(15);
});
