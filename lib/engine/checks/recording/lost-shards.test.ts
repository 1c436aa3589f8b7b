import { describe, expect, it } from 'vitest';
import type { ProbeResult } from '@/lib/checks/result';
import type { RacePoints } from '@/lib/domain/context/race-points';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import type { DueCheck } from '@/lib/engine/checks/shards/scheduled-monitor';
import { beginStory, FAILED, OK, recordAsOwner, START } from '@/lib/engine/testing/story';
import type { Database } from '@/lib/platform/db/client';
import { useTestDatabase } from '@/lib/testing/database';
import { holdAt, holdBeforeCommit, untilBlocked } from '@/lib/testing/races';
import { recordResults } from './record-results';

const database = useTestDatabase();

/** A monitor that is operational, and whose next check is due. */
async function begin() {
  const story = await beginStory(database.db);
  const { services, clock, ctx } = story;
  const { id } = await story.addMonitor({ alertThreshold: 1 });
  await story.check(OK, { afterMs: 0 });
  clock.advance(90_000);
  return {
    ...story,
    id,
    takeAll: story.take.bind(story),
    take: async (worker?: string) => {
      const [check] = await story.take('us-east', worker);
      if (!check) throw new Error('nothing was due');
      return check;
    },
    record: (check: DueCheck, result: ProbeResult, by: { races?: RacePoints; db?: Database } = {}) =>
      recordResults({ ...services, ...by }, [{ check, startedAt: clock.now(), result }]),
    monitor: () => getMonitor(ctx, id),
    results: () =>
      database.db.$queryRaw<{ outcome: number }[]>`
        SELECT outcome FROM raw.check_result JOIN monitor ON monitor.number = monitor
         WHERE monitor.id = ${id} AND checked_at > ${START} ORDER BY checked_at`,
  };
}

describe('a shard that another worker took over', () => {
  it('counts nothing of its former owner, even if it is lost while a result is being recorded', async () => {
    const { take, record, clock, ...story } = await begin();
    const check = await take();
    clock.advance(3_600_000);
    const late = await holdAt('states locked', (races) => record(check, FAILED, { races }));
    const taken = await take('wrk_other');
    const recording = record(taken, OK);
    await untilBlocked(database.db);
    expect(await late.release()).toBe(0);
    expect(await recording).toBe(1);
    expect(await story.results()).toEqual([{ outcome: 0 }]);
    expect(await story.monitor()).toMatchObject({ status: 'operational', consecutiveFailures: 0 });
  });

  it('is taken after what is being recorded: others leave it alone without waiting', async () => {
    const { take, takeAll, record, clock, ...story } = await begin();
    const check = await take();
    clock.advance(3_600_000);
    const late = await holdBeforeCommit(database.db, (db) => record(check, FAILED, { db }));
    expect(await takeAll('us-east', 'wrk_other')).toEqual([]);
    expect(await late.release()).toBe(1);
    clock.advance(90_000);
    expect(await takeAll('us-east', 'wrk_other')).toHaveLength(1);
    expect(await story.results()).toEqual([{ outcome: 1 }]);
  });

  it('records no routine result of its former owner either', async () => {
    const { take, record, clock, ...story } = await begin();
    const check = await take();
    expect(check.monitor.isContested).toBe(false);
    await take('wrk_other');
    expect(await record(check, OK)).toBe(0);
    expect(await story.results()).toEqual([]);
  });
});

it('a routine result that waited for another shard is dropped if its monitor was edited meanwhile, and its owner knows', async () => {
  const { services, takeAll, clock, ctx, addMonitor } = await begin();
  for (let n = 0; n < 20; n++) await addMonitor();
  /** All of them, in the order in which their shards are locked. */
  const checkAll = async () => {
    clock.advance(90_000);
    const checks = (await takeAll()).toSorted((a, b) => a.lease.shard - b.lease.shard);
    return checks.map((check) => ({ check, startedAt: clock.now(), result: OK }));
  };
  await recordAsOwner(services, await checkAll());
  const finished = await checkAll();
  const [first, last] = [finished[0]?.check, finished.at(-1)?.check];
  if (!first || !last) throw new Error('nothing was due');
  expect(finished.filter(({ check }) => check.monitor.isContested)).toEqual([]);
  expect(first.lease.shard).toBeLessThan(last.lease.shard);
  const blocker = await holdBeforeCommit(
    database.db,
    (db) => db.$executeRaw`
      SELECT FROM raw.shard_lease WHERE region = 'us-east' AND shard = ${first.lease.shard}::int FOR UPDATE`,
  );
  const recording = recordResults(services, finished);
  await untilBlocked(database.db);
  await updateMonitor(ctx, last.monitor.id, { url: 'http://other.test/' });
  await takeAll();
  expect(last.monitor.isOutdated).toBe(true);
  await blocker.release();
  expect(await recording).toBe(finished.length - 1);
  const { status, lastCheckedAt } = await getMonitor(ctx, last.monitor.id);
  expect({ status, lastCheckedAt }).toEqual({
    status: 'pending',
    lastCheckedAt: new Date(clock.now().getTime() - 90_000).toISOString(),
  });
});
