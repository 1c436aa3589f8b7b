import { describe, expect, it } from 'vitest';
import { describeError } from '@/lib/core/errors';
import { createLogger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { recordResults } from '@/lib/engine/checks/recording/record-results';
import { idsOf, REGION, settle, takeAll, useShardStory } from '@/lib/engine/testing/shard-story';
import { OK, START } from '@/lib/engine/testing/story';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { nextSlot, SHARDS, schedulePlace } from '@/lib/state/schedule-grid';
import { loseResponse } from '@/lib/testing/lose-response';
import { createDatabaseKeeper } from './database-store';
import type { DueCheck } from './scheduled-monitor';
import { LEASE_MS } from './shard-store';

const { database, begin } = useShardStory();
const MINUTE = 60_000;

/** Services whose responses a test can disturb before they arrive: the one after the next `later` ones. */
function withDisturbance(services: Services) {
  let disturbance = { later: -1, by: () => {} };
  const queryRaw = async (...query: Parameters<Database['$queryRaw']>) => {
    const rows = await services.db.$queryRaw(...query);
    disturbance.later -= 1;
    if (disturbance.later === -1) disturbance.by();
    return rows;
  };
  const db = new Proxy(services.db, {
    get: (target, name) => (name === '$queryRaw' ? queryRaw : Reflect.get(target, name)),
  });
  return {
    services: { ...services, db },
    disturb: (later: number, by: () => void) => {
      disturbance = { later, by };
    },
  };
}

describe('workers of a region', () => {
  it('share its shards evenly, so that each monitor is due at one of them', async () => {
    const { worker, addMany, owned, clock } = await begin();
    const ids = await addMany(100);
    const one = worker('wrk_one');
    await one.sync();
    expect(await owned()).toEqual({ wrk_one: SHARDS });
    expect(idsOf(takeAll(one))).toEqual(ids.toSorted());

    const two = worker('wrk_two');
    await settle(two, one);
    expect(await owned()).toEqual({ wrk_one: SHARDS / 2, wrk_two: SHARDS / 2 });
    const three = worker('wrk_three');
    await settle(three, one, two);
    expect(Object.values(await owned()).toSorted()).toEqual([4, 6, 6]);
    clock.advance(2 * MINUTE);
    await settle(one, two, three);
    const taken = [one, two, three].map((keeper) => idsOf(takeAll(keeper)));
    expect(taken.every((part) => part.length > 0)).toBe(true);
    expect(taken.flat().toSorted()).toEqual(ids.toSorted());

    await one.release();
    await settle(two, three);
    expect(await owned()).toEqual({ wrk_two: SHARDS / 2, wrk_three: SHARDS / 2 });
    clock.advance(2 * MINUTE);
    await settle(two, three);
    expect(takeAll(one)).toEqual([]);
    expect([two, three].flatMap((keeper) => idsOf(takeAll(keeper))).toSorted()).toEqual(ids.toSorted());
  });

  it('that start at the same time take every shard once', async () => {
    const { worker, addMany, owned } = await begin();
    const ids = await addMany(40);
    const workers = ['wrk_one', 'wrk_two', 'wrk_three', 'wrk_four'].map((id) => worker(id));
    for (let round = 0; round < SHARDS; round++) await Promise.all(workers.map((keeper) => keeper.sync()));
    expect(Object.values(await owned())).toEqual([4, 4, 4, 4]);
    expect(workers.flatMap((keeper) => idsOf(takeAll(keeper))).toSorted()).toEqual(ids.toSorted());
  });

  it('take over when one is not seen for ten seconds, and it begins nothing more by then', async () => {
    const { worker, addMany, owned, pass, messages } = await begin();
    const ids = await addMany(40);
    const [stalled, other] = [worker('wrk_stalled'), worker('wrk_other')];
    await settle(stalled, other);
    await pass(LEASE_MS - 1, other);
    expect(await owned()).toEqual({ wrk_stalled: SHARDS / 2, wrk_other: SHARDS / 2 });
    await pass(1, other);
    expect(await owned()).toEqual({ wrk_other: SHARDS });
    await pass(1, other);
    expect(takeAll(stalled)).toEqual([]);
    expect(idsOf(takeAll(other))).toEqual(ids.toSorted());

    await stalled.sync();
    expect(messages()).toContain('other workers took over checks of this one');
    expect(takeAll(stalled)).toEqual([]);
    await settle(other, stalled);
    expect(await owned()).toEqual({ wrk_stalled: SHARDS / 2, wrk_other: SHARDS / 2 });
  });

  it.each([
    ['a minute without the database', { backend: Prisma.sql`backend`, backAfterMs: 9000 }],
    [
      'a restart of the database, which closes their connections',
      { backend: Prisma.sql`2000000000`, backAfterMs: 2000 },
    ],
  ])(
    'keep their shards after %s, and only those that stay away lose them',
    async (_, { backend, backAfterMs }) => {
      const { worker, owned, pass, clock } = await begin();
      const [dead, slow, other] = [worker('wrk_dead'), worker('wrk_slow'), worker('wrk_other')];
      await settle(dead, slow, other);
      const before = await owned();
      clock.advance(MINUTE);
      await database.db.$executeRaw`UPDATE raw.check_runner SET backend = ${backend}`;
      await pass(backAfterMs, other);
      await slow.sync();
      expect(await owned()).toEqual(before);
      await pass(LEASE_MS, other, slow);
      expect(await owned()).toEqual({ wrk_slow: SHARDS / 2, wrk_other: SHARDS / 2 });
    },
  );

  it('take over checks in the slots that follow from what was recorded', async () => {
    const { worker, addMonitor, clock, services } = await begin();
    const { id } = await addMonitor();
    const one = worker('wrk_one');
    await one.sync();
    const [check] = takeAll(one);
    if (!check) throw new Error('nothing was due');
    await recordResults(services, [{ check, startedAt: START, result: OK }]);
    await one.release();
    clock.advance(1000);
    const two = worker('wrk_two');
    await two.sync();
    expect(two.nextDueAt()?.getTime()).toBe(
      nextSlot(START.getTime(), MINUTE, schedulePlace(id, REGION).phase),
    );
  });

  it('record nothing under a lease that ended, and what the next owner sees counts', async () => {
    const { worker, addMonitor, clock, services } = await begin();
    await addMonitor();
    const [one, two] = [worker('wrk_one'), worker('wrk_two')];
    await one.sync();
    const before = takeAll(one);
    clock.advance(LEASE_MS);
    await two.sync();
    const after = takeAll(two);
    const record = (checks: DueCheck[]) =>
      recordResults(
        services,
        checks.map((check) => ({ check, startedAt: clock.now(), result: OK })),
      );
    expect([await record(before), await record(after)]).toEqual([0, 1]);
  });
});

describe('a worker', () => {
  it.each([
    ['everything', null],
    ['everything, after the first response was lost', 0],
    ['everything, after it had registered again', 1],
    ['everything, after reading was interrupted', 5],
  ])('that was taken for dead and forgotten reads %s', async (_, lost) => {
    const { worker, addMonitor, clock, ctx, services } = await begin();
    const { id } = await addMonitor();
    const broken = withDisturbance(services);
    const keeper = worker('wrk_one', broken.services);
    await keeper.sync();
    takeAll(keeper);
    // Nobody took its shards, but what it did not know was deleted.
    await updateMonitor(ctx, id, { url: 'http://other.test/' });
    await database.db.$executeRaw`DELETE FROM raw.check_runner`;
    await database.db.$executeRaw`DELETE FROM raw.schedule_change`;
    clock.advance(MINUTE);
    if (lost !== null) {
      broken.disturb(lost, () => {
        throw new Error('Connection terminated unexpectedly');
      });
      expect(await keeper.sync().then(() => null, describeError)).toContain('Connection terminated');
    }
    await keeper.sync();
    const [check] = takeAll(keeper);
    expect(check?.monitor.target).toMatchObject({ url: 'http://other.test/' });
    if (!check) throw new Error('nothing was due');
    expect(await recordResults(services, [{ check, startedAt: clock.now(), result: OK }])).toBe(1);
  });

  it('that was taken for dead and forgotten runs nothing twice that was recorded while it read its shards again', async () => {
    const { worker, addMonitor, clock, services } = await begin();
    await addMonitor();
    const slow = withDisturbance(services);
    const keeper = worker('wrk_one', slow.services);
    await keeper.sync();
    const [running] = keeper.takeDue(10);
    if (!running) throw new Error('nothing was due');
    await database.db.$executeRaw`DELETE FROM raw.check_runner`;
    // Its check ends when the first shard was read: after a beat, the registration, and another beat.
    slow.disturb(3, () => keeper.giveBack(running));
    await keeper.sync();
    const record = (check: DueCheck) =>
      recordResults(services, [{ check, startedAt: clock.now(), result: OK }]);
    const again = keeper.takeDue(10);
    const counts = await Promise.all([running, ...again].map(record));
    expect(counts.filter((count) => count > 0)).toEqual([1]);
  });

  it('that starts again under its old name continues with its shards', async () => {
    const { worker, addMany, owned } = await begin();
    const ids = await addMany(10);
    await worker('wrk_one').sync();
    const again = worker('wrk_one');
    await again.sync();
    expect(await owned()).toEqual({ wrk_one: SHARDS });
    expect(idsOf(takeAll(again))).toEqual(ids.toSorted());
  });

  it('owns what it took although the response was lost, from its next sync', async () => {
    const { worker, addMany, services, owned } = await begin();
    const ids = await addMany(10);
    const keeper = worker('wrk_one', loseResponse(services, /epoch \+ 1/));
    await expect(keeper.sync()).rejects.toThrow('Connection terminated');
    expect(await owned()).toEqual({ wrk_one: SHARDS });
    expect(takeAll(keeper)).toEqual([]);
    await keeper.sync();
    expect(idsOf(takeAll(keeper))).toEqual(ids.toSorted());
    expect(takeAll(keeper), 'once').toEqual([]);
  });

  it('begins nothing after a response that took a minute, before it has asked again', async () => {
    const { worker, addMonitor, services, clock, owned } = await begin();
    await addMonitor();
    const slow = withDisturbance(services);
    const [stalled, other] = [worker('wrk_stalled', slow.services), worker('wrk_other')];
    await stalled.sync();
    slow.disturb(0, () => clock.advance(MINUTE));
    await stalled.sync();
    expect(stalled.takeDue(10)).toEqual([]);
    await other.sync();
    expect(await owned()).toEqual({ wrk_other: SHARDS });
    await stalled.sync();
    expect(stalled.takeDue(10)).toEqual([]);
    expect(other.takeDue(10)).toHaveLength(1);
  });

  it('says when checks may be overdue: as soon as those of a shard are read, and after it could not be reached', async () => {
    const { services, log, clock, addMany } = await begin();
    const ids = await addMany(20);
    const due: number[] = [];
    const onLoaded = () => void due.push(keeper.takeDue(100).length);
    const keeper = createDatabaseKeeper(services, { region: REGION, workerId: 'wrk_one' }, { log, onLoaded });
    expect(await keeper.sync()).toBe(false);
    expect(due).toHaveLength(SHARDS);
    expect(due.reduce((sum, count) => sum + count)).toBe(ids.length);
    expect(await keeper.sync()).toBe(false);
    clock.advance(MINUTE);
    expect(await keeper.sync()).toBe(true);
    expect(due).toHaveLength(SHARDS);
  });

  it('that could not give shards away starts from scratch: its running checks are not in what it reads then', async () => {
    const { services, worker, addMany, clock } = await begin();
    await addMany(40);
    let isFailing = false;
    const executeRaw = (...query: Parameters<Database['$executeRaw']>) =>
      isFailing && String(query[0]).includes('SET owner = NULL')
        ? Promise.reject(new Error('the connection was closed'))
        : services.db.$executeRaw(...query);
    const db = new Proxy(services.db, {
      get: (target, name) => (name === '$executeRaw' ? executeRaw : Reflect.get(target, name)),
    });
    const runner = { region: REGION, workerId: 'wrk_one' };
    const one = createDatabaseKeeper({ ...services, db }, runner, { log: createLogger('silent', 'test') });
    await one.sync();
    const running = one.takeDue(1000);
    expect(running.length).toBeGreaterThan(0);
    await worker('wrk_other').sync();
    isFailing = true;
    await expect(one.sync()).rejects.toThrow('was closed');
    isFailing = false;
    await one.sync();
    const finished = running.map((check) => ({ check, startedAt: clock.now(), result: OK }));
    expect(await recordResults(services, finished)).toBe(0);
  });

  it('can sync from several sides at a time', async () => {
    const { worker, addMany, owned, messages } = await begin();
    const ids = await addMany(40);
    const [one, other] = [worker('wrk_one'), worker('wrk_other')];
    for (let round = 0; round < SHARDS; round++)
      await Promise.all([one.sync(), other.sync(), other.sync(), one.sync()]);
    expect(await owned()).toEqual({ wrk_one: SHARDS / 2, wrk_other: SHARDS / 2 });
    expect([one, other].flatMap((keeper) => idsOf(takeAll(keeper))).toSorted()).toEqual(ids.toSorted());
    expect(messages()).not.toContain('other workers took over checks of this one');
  });

  it('owns nothing after its release, even if that begins during a sync', async () => {
    const { worker, addMany, owned } = await begin();
    await addMany(10);
    const keeper = worker('wrk_one');
    const syncing = keeper.sync();
    await Promise.all([syncing, keeper.release()]);
    await keeper.sync();
    expect(await owned()).toEqual({});
    expect(takeAll(keeper)).toEqual([]);
  });
});
