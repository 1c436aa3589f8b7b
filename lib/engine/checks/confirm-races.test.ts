import { describe, expect, it } from 'vitest';
import type { ProbeResult } from '@/lib/checks/result';
import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { recordResults } from '@/lib/engine/checks/recording/record-results';
import type { DueCheck } from '@/lib/engine/checks/shards/scheduled-monitor';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import type { Database } from '@/lib/platform/db/client';
import type { MonitorChanges } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { holdAt, holdBeforeCommit, untilBlocked } from '@/lib/testing/races';

const database = useTestDatabase();
const [US, EU] = ['us-east', 'eu-west'] as const;

/** An operational monitor whose first failure in one region has the other check now. */
async function begin() {
  const story = await beginStory(database.db);
  const { services, ctx, clock } = story;
  const fields = { regions: [US, EU], alertThreshold: 2, confirmInterval: 10 };
  const { id } = await story.addMonitor(fields);
  // Its slots are half a minute after each full one, as now.
  await database.db.probeSchedule.updateMany({ where: { monitorId: id }, data: { phase: 5000 } });
  for (const region of [US, EU]) await story.check(OK, { region, afterMs: 0 });
  clock.advance(90_000);
  const take = async (region: string) => {
    const [check] = await story.take(region);
    if (!check) throw new Error('nothing was due');
    return check;
  };
  return {
    clock,
    services,
    id,
    ctx,
    take,
    countDue: async (region: string) => (await story.take(region)).length,
    record: (check: DueCheck, result: ProbeResult, db: Database = database.db) =>
      recordResults({ ...services, db }, [{ check, startedAt: clock.now(), result }]),
    change: (changes: MonitorChanges, db: Database = database.db) =>
      updateMonitor({ ...ctx, db }, id, changes),
    monitor: () => getMonitor(ctx, id),
    confirmation: async () => {
      const { machine } = await database.db.monitorState.findFirstOrThrow({ where: { monitorId: id } });
      return machine;
    },
  };
}

describe('between a first failure and the check off the grid', () => {
  it('an edit of what is probed starts over: the check that runs does not count, and nothing is left to confirm', async () => {
    const { id, take, record, change, monitor, clock, confirmation } = await begin();
    await record(await take(US), FAILED);
    const running = await take(EU);
    clock.advance(1000);
    await change({ url: 'http://other.test/' });
    expect(await record(running, FAILED)).toBe(0);
    expect(await confirmation()).toMatchObject({ confirmation: null, status: 'pending' });
    const schedules = await database.db.probeSchedule.findMany({ where: { monitorId: id } });
    expect(schedules.map(({ nextCheckAt }) => nextCheckAt)).toEqual([clock.now(), clock.now()]);
    for (const region of [US, EU]) await record(await take(region), OK);
    expect((await monitor()).status).toBe('operational');
  });

  it('a pause ends it: no check is due, and the one that runs does not count', async () => {
    const { take, record, change, monitor, clock, countDue } = await begin();
    await record(await take(US), FAILED);
    const running = await take(EU);
    await change({ enabled: false });
    expect(await record(running, FAILED)).toBe(0);
    clock.advance(10_000);
    expect([await countDue(US), await countDue(EU)]).toEqual([0, 0]);
    expect((await monitor()).status).toBe('operational');
  });

  it('a pause that waits for the failure to be recorded removes what the failure scheduled', async () => {
    const { take, record, change, clock, countDue } = await begin();
    const us = await take(US);
    const failure = await holdBeforeCommit(database.db, (db) => record(us, FAILED, db));
    const pause = change({ enabled: false });
    await untilBlocked(database.db);
    expect(await failure.release()).toBe(1);
    await pause;
    clock.advance(10_000);
    expect([await countDue(US), await countDue(EU)]).toEqual([0, 0]);
  });

  it('a failure that waits for a pause schedules nothing', async () => {
    const { take, record, change, clock, countDue } = await begin();
    const us = await take(US);
    const pause = await holdBeforeCommit(database.db, (db) => change({ enabled: false }, db));
    const failure = record(us, FAILED);
    await untilBlocked(database.db);
    await pause.release();
    expect(await failure).toBe(0);
    clock.advance(10_000);
    expect([await countDue(US), await countDue(EU)]).toEqual([0, 0]);
  });

  it('a region that is removed is not checked again, and the other one confirms alone', async () => {
    const { take, record, change, monitor, clock, countDue } = await begin();
    await record(await take(US), FAILED);
    await change({ regions: [US] });
    expect(await countDue(EU)).toBe(0);
    clock.advance(10_000);
    await record(await take(US), FAILED);
    expect((await monitor()).status).toBe('down');
  });

  it('an edit that disables it leaves the check that is due, whose result removes the others', async () => {
    const { take, record, change, clock, countDue } = await begin();
    await record(await take(US), FAILED);
    await change({ confirmInterval: null });
    expect(await record(await take(EU), FAILED)).toBe(1);
    clock.advance(10_000);
    expect([await countDue(US), await countDue(EU)]).toEqual([0, 0]);
  });

  it('a deletion leaves nothing', async () => {
    const { take, record, ctx, id, countDue } = await begin();
    await record(await take(US), FAILED);
    const running = await take(EU);
    await deleteMonitor(ctx, id);
    expect(await record(running, FAILED)).toBe(0);
    expect(await countDue(EU)).toBe(0);
  });
});

it('first failures of two regions at the same moment begin one run: each region is due ten seconds after its own', async () => {
  const { take, record, services, clock, countDue, confirmation, monitor } = await begin();
  const [us, eu] = [await take(US), await take(EU)];
  const first = await holdAt('states locked', (races) =>
    recordResults({ ...services, races }, [{ check: us, startedAt: clock.now(), result: FAILED }]),
  );
  const second = record(eu, FAILED);
  await untilBlocked(database.db);
  expect([await first.release(), await second]).toEqual([1, 1]);
  const dueAt = clock.now().getTime() + 10_000;
  expect(await confirmation()).toMatchObject({
    confirmation: { isOpen: true, regions: { [US]: { dueAt }, [EU]: { dueAt } } },
  });
  expect([await countDue(US), await countDue(EU)]).toEqual([0, 0]);
  clock.advance(10_000);
  for (const region of [US, EU]) await record(await take(region), FAILED);
  expect((await monitor()).status).toBe('down');
  expect([await countDue(US), await countDue(EU)]).toEqual([0, 0]);
});
