import { describe, expect, it } from 'vitest';
import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { recordResults } from '@/lib/engine/checks/recording/record-results';
import { idsOf, REGION, settle, takeAll, useShardStory } from '@/lib/engine/testing/shard-story';
import { OK, recordAsOwner } from '@/lib/engine/testing/story';
import type { Database } from '@/lib/platform/db/client';
import type { MonitorChanges } from '@/lib/schemas/monitor';
import { nextSlot, schedulePlace } from '@/lib/state/schedule-grid';
import { holdBeforeCommit } from '@/lib/testing/races';

const { database, begin } = useShardStory();
const MINUTE = 60_000;

describe('an owner follows at its next sync', () => {
  /** A monitor that was just checked, its owner, and what others do to it. */
  async function beginOwned(fields: object = {}) {
    const story = await begin();
    const { id } = await story.addMonitor(fields);
    const keeper = story.worker('wrk_one');
    await keeper.sync();
    takeAll(keeper);
    story.clock.advance(5000);
    await keeper.sync();
    return {
      ...story,
      keeper,
      id,
      phase: schedulePlace(id, REGION).phase,
      change: (changes: MonitorChanges, db: Database = database.db) =>
        updateMonitor({ ...story.ctx, db }, id, changes),
      /** When the owner checks the monitor next, in milliseconds from now; null: never. */
      dueIn: async () => {
        await keeper.sync();
        const dueAt = keeper.nextDueAt();
        return dueAt && dueAt.getTime() - story.clock.now().getTime();
      },
    };
  }

  it('a change of what is probed: the monitor is due at once', async () => {
    const { change, dueIn, keeper } = await beginOwned();
    await change({ url: 'http://other.test/' });
    expect(await dueIn()).toBe(0);
    expect(takeAll(keeper)).toMatchObject([{ monitor: { target: { url: 'http://other.test/' } } }]);
  });

  it('a change of what is decided: the monitor keeps its slot', async () => {
    const { change, dueIn, keeper, clock, services } = await beginOwned();
    clock.advance(2 * MINUTE);
    await keeper.sync();
    const checks = takeAll(keeper);
    await recordResults(
      services,
      checks.map((check) => ({ check, startedAt: clock.now(), result: OK })),
    );
    const before = await dueIn();
    await change({ alertThreshold: 5 });
    expect(await dueIn()).toBe(before);
    clock.advance(before ?? 0);
    await keeper.sync();
    expect(takeAll(keeper)).toMatchObject([{ monitor: { config: { alertThreshold: 5 } } }]);
  });

  it('a pause, and the end of it', async () => {
    const { change, dueIn } = await beginOwned();
    await change({ enabled: false });
    expect(await dueIn()).toBeNull();
    await change({ enabled: true });
    expect(await dueIn()).toBe(0);
  });

  it('a deletion', async () => {
    const { ctx, id, dueIn } = await beginOwned();
    await deleteMonitor(ctx, id);
    expect(await dueIn()).toBeNull();
  });

  it('that a region was removed, and added', async () => {
    const { change, dueIn } = await beginOwned();
    await change({ regions: ['eu-west'] });
    expect(await dueIn()).toBeNull();
    await change({ regions: ['eu-west', REGION] });
    expect(await dueIn()).toBe(0);
  });

  it('another interval: the monitor is due in the next slot of its new grid', async () => {
    const { change, clock, phase, dueIn } = await beginOwned({ interval: 300 });
    await change({ interval: 60 });
    const now = clock.now().getTime();
    expect(await dueIn()).toBe(nextSlot(now, MINUTE, phase) - now);
  });

  it('another time of the next check', async () => {
    const { id, clock, dueIn } = await beginOwned();
    const nextCheckAt = new Date(clock.now().getTime() + 1234);
    await database.db.probeSchedule.updateMany({ where: { monitorId: id }, data: { nextCheckAt } });
    expect(await dueIn()).toBe(1234);
  });

  it('a new monitor', async () => {
    const { addMonitor, keeper } = await beginOwned();
    const { id } = await addMonitor();
    await keeper.sync();
    expect(idsOf(takeAll(keeper))).toContain(id);
  });

  it('whether results are decided upon', async () => {
    const { id, keeper, clock, services } = await beginOwned();
    const takeMark = async () => {
      clock.advance(2 * MINUTE);
      await keeper.sync();
      const [check] = takeAll(keeper);
      if (!check) throw new Error('nothing was due');
      const { isContested } = check.monitor;
      await recordAsOwner(services, [{ check, startedAt: clock.now(), result: OK }]);
      return isContested;
    };
    expect([await takeMark(), await takeMark()]).toEqual([true, false]);
    await database.db.$executeRaw`
      UPDATE monitor_state SET machine = machine || '{"isContested": true}' WHERE monitor_id = ${id}`;
    expect(await takeMark()).toBe(true);
  });

  it('changes of its own monitors alone', async () => {
    const { worker, addMany, clock } = await begin();
    const ids = await addMany(40);
    const [one, other] = [worker('wrk_one'), worker('wrk_other')];
    await settle(one, other);
    const [before, rest] = [one, other].map((keeper) => idsOf(takeAll(keeper)));
    expect([before, rest].flat().toSorted()).toEqual(ids.toSorted());
    await database.db.monitor.updateMany({ where: { id: { in: ids } }, data: { alertThreshold: 5 } });
    clock.advance(2 * MINUTE);
    await settle(one, other);
    expect(one.spread(), 'all are overdue').toBe(before?.length);
    clock.advance(2 * MINUTE);
    await settle(one, other);
    const checks = takeAll(one);
    expect(idsOf(checks)).toEqual(before);
    expect(checks.every(({ monitor }) => monitor.config.alertThreshold === 5)).toBe(true);
  });

  it('a change that is committed long after it was made', async () => {
    const { change, dueIn, addMonitor, keeper } = await beginOwned();
    const late = await holdBeforeCommit(database.db, (db) => change({ url: 'http://late.test/' }, db));
    await addMonitor({ name: 'Made meanwhile' });
    expect(await dueIn(), 'the new one').toBe(0);
    takeAll(keeper);
    expect(await dueIn()).toBeGreaterThan(0);
    await late.release();
    expect(await dueIn()).toBe(0);
    expect(takeAll(keeper)).toMatchObject([{ monitor: { target: { url: 'http://late.test/' } } }]);
  });

  it('a change of a monitor whose check is running, which it does not check twice at a time', async () => {
    const { change, keeper, clock, dueIn } = await beginOwned();
    clock.advance(2 * MINUTE);
    await keeper.sync();
    const [running] = keeper.takeDue(1);
    if (!running) throw new Error('nothing was due');
    await change({ alertThreshold: 5 });
    expect(await dueIn()).toBeNull();
    expect(running.monitor.isOutdated).toBe(true);
    keeper.giveBack(running);
    expect(await dueIn()).toBeGreaterThan(0);
  });
});

it('a target is the same object from check to check until its monitor is changed, so that a probe prepares its request once', async () => {
  const { worker, addMonitor, ctx, clock, services } = await begin();
  const { id } = await addMonitor();
  const keeper = worker('wrk_one');
  const check = async () => {
    clock.advance(2 * MINUTE);
    await keeper.sync();
    const [due] = takeAll(keeper);
    if (!due) throw new Error('nothing was due');
    await recordResults(services, [{ check: due, startedAt: clock.now(), result: OK }]);
    return due.monitor.target;
  };
  // The first result ends the first round, which changes the monitor.
  await check();
  const target = await check();
  for (let round = 0; round < 5; round++) expect(await check()).toBe(target);
  await updateMonitor(ctx, id, { keyword: 'ok' });
  const changed = await check();
  expect(changed).not.toBe(target);
  expect(changed).toMatchObject({ keyword: 'ok' });
});
