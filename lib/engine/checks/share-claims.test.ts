import { describe, expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { schedulePlace } from '@/lib/domain/monitors/probe-schedules';
import { copyMonitor } from '@/lib/domain/monitors/testing/history';
import { beginStory } from '@/lib/engine/testing/story';
import { useTestDatabase } from '@/lib/testing/database';
import { keepLog } from '@/lib/testing/kept-log';
import { loseResponse } from '@/lib/testing/lose-response';
import { createShareClaims } from './drain-checks';

const INTERVAL_SECONDS = 30;
const SECOND_MS = 1000;
const database = useTestDatabase();
const log = createLogger('silent', 'test');
const shareOf = (region: string) => ({ region, shard: 0, shards: 1 });

describe('claims whose response was lost', () => {
  it('are released as soon as the database is back, not when their leases expire', async () => {
    const story = await beginStory(database.db);
    const { id } = await story.addMonitor({ regions: ['us-east'], timeout: 60 });
    const claims = createShareClaims(
      { services: loseResponse(story.services, /UPDATE probe_schedule/), workerId: 'wrk_test', log },
      shareOf('us-east'),
    );
    await expect(claims.claim(10)).rejects.toThrow('Connection terminated');
    const leased = await database.db.probeSchedule.findFirstOrThrow({ where: { monitorId: id } });
    expect(leased.claim).not.toBeNull();
    expect((await claims.claim(10)).map(({ monitorId }) => monitorId)).toEqual([id]);
    expect(await claims.claim(10), 'once').toEqual([]);
  });

  it('are the only ones released', async () => {
    const story = await beginStory(database.db);
    await Promise.all([1, 2].map(() => story.addMonitor({ regions: ['us-east'] })));
    const worker = { services: story.services, workerId: 'wrk_test', log };
    const [first] = await createShareClaims(worker, shareOf('us-east')).claim(1);
    const losing = createShareClaims(
      { ...worker, services: loseResponse(story.services, /UPDATE probe_schedule/) },
      shareOf('us-east'),
    );
    await expect(losing.claim(10)).rejects.toThrow();
    const [second, ...more] = await losing.claim(10);
    expect(more).toEqual([]);
    expect(second?.monitorId).not.toBe(first?.monitorId);
  });
});

// Seed 118 of the fault run: such a check ran, and another one in the same slot.
it('claims that came back after a minute from a database that stood still are released, not run', async () => {
  const story = await beginStory(database.db);
  const { id } = await story.addMonitor({ interval: INTERVAL_SECONDS, regions: ['ap-southeast'] });
  const { services, clock } = story;
  const db = new Proxy(services.db, {
    get: (target, name) =>
      name === '$queryRaw'
        ? async (...query: Parameters<typeof target.$queryRaw>) => {
            const rows = await target.$queryRaw<object[]>(...query);
            if (rows.some((row) => 'claim' in row)) clock.advance(60 * SECOND_MS);
            return rows;
          }
        : Reflect.get(target, name),
  });
  const share = shareOf('ap-southeast');
  const stalled = createShareClaims({ services: { ...services, db }, workerId: 'wrk_test', log }, share);
  expect(await stalled.claim(10)).toEqual([]);
  const freed = await database.db.probeSchedule.findFirstOrThrow({ where: { monitorId: id } });
  expect(freed).toMatchObject({ claim: null, nextCheckAt: clock.now() });
  const claims = createShareClaims({ services, workerId: 'wrk_test', log }, share);
  expect((await claims.claim(10)).map(({ monitorId }) => monitorId)).toEqual([id]);
});

describe.each([
  ['4 s', 4],
  ['half a minute', 30],
  ['an hour and a quarter of an interval', 3607.5],
])('after a gap of %s', (_, gapSeconds) => {
  it('the longest overdue is checked immediately, everything within an interval, and no second has three times the usual load', async () => {
    const story = await beginStory(database.db);
    const { id } = await story.addMonitor({ interval: INTERVAL_SECONDS, regions: ['eu-west'] });
    const ids = [id, ...(await copyMonitor(database.db, id, 599))];
    const usual = ids.length / INTERVAL_SECONDS;
    await fillSchedule(ids, story.clock.now());
    const workers = ['wrk_one', 'wrk_two'].map((workerId) =>
      createShareClaims({ services: story.services, workerId, log }, shareOf('eu-west')),
    );

    const checkedAt = new Map<string, number>();
    const perSecond: number[] = [];
    /** Both workers poll, and immediately finish what they claim. */
    const look = async () => {
      const claimed = (await Promise.all(workers.map((worker) => worker.claim(1000)))).flat();
      await database.db.probeSchedule.updateMany({
        where: { region: 'eu-west', claim: { not: null } },
        data: { claim: null, claimedBy: null, leaseUntil: null },
      });
      return claimed;
    };
    const watch = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        story.clock.advance(SECOND_MS);
        const claimed = await look();
        perSecond.push(claimed.length);
        for (const { monitorId } of claimed) if (!checkedAt.has(monitorId)) checkedAt.set(monitorId, second);
      }
    };

    await look();
    story.clock.advance((gapSeconds - 1) * SECOND_MS);
    await watch(INTERVAL_SECONDS + 1);
    expect(checkedAt.size, 'all within an interval').toBe(ids.length);
    expect(Math.min(...checkedAt.values())).toBe(0);
    expect(Math.max(...perSecond), `in each second: ${perSecond}`).toBeLessThanOrEqual(3 * usual);
  });
});

it('polls that do not claim, as while every slot is taken, are no gap', async () => {
  const story = await beginStory(database.db);
  const { id } = await story.addMonitor({ interval: INTERVAL_SECONDS, regions: ['eu-west'] });
  await fillSchedule([id, ...(await copyMonitor(database.db, id, 99))], story.clock.now());
  const kept = keepLog();
  const { services, clock } = story;
  const claims = createShareClaims({ services, workerId: 'wrk_test', log: kept.log }, shareOf('eu-west'));
  await claims.claim(10);
  for (let second = 0; second < 10; second++) {
    clock.advance(SECOND_MS);
    claims.notePoll(clock.now());
  }
  await claims.claim(10);
  expect(kept.lines(), 'nothing was spread').toEqual([]);
  clock.advance(10 * SECOND_MS);
  await claims.claim(10);
  expect(kept.lines()).toMatchObject([{ msg: 'spread overdue checks over time' }]);
});

it('slots that pass because there are too many checks are counted, and logged once a minute', async () => {
  const story = await beginStory(database.db);
  const { id } = await story.addMonitor({ interval: INTERVAL_SECONDS, regions: ['eu-west'] });
  await fillSchedule([id, ...(await copyMonitor(database.db, id, 9))], story.clock.now());
  const kept = keepLog();
  const { services, clock } = story;
  const claims = createShareClaims({ services, workerId: 'wrk_test', log: kept.log }, shareOf('eu-west'));
  await claims.claim(0);
  // Two intervals during which other checks had every slot of this worker, then all of them at once.
  for (let second = 0; second < 3 * INTERVAL_SECONDS; second++) {
    clock.advance(SECOND_MS);
    claims.notePoll(clock.now());
  }
  expect(await claims.claim(5)).toHaveLength(5);
  expect(await claims.claim(5)).toHaveLength(5);
  const message =
    'checks were skipped: more are due than this worker can run; add a worker or raise CHECK_CONCURRENCY';
  expect(kept.lines()).toMatchObject([{ region: 'eu-west', skipped: 10, msg: message }]);
});

/** Puts monitors on their grids, each due within one interval after `now`. */
async function fillSchedule(ids: string[], now: Date): Promise<void> {
  const places = ids.map((id) => schedulePlace(id, 'eu-west'));
  await database.db.$executeRaw`DELETE FROM probe_schedule WHERE region = 'eu-west'`;
  await database.db.$executeRaw`
    INSERT INTO probe_schedule (monitor_id, region, slot, phase, next_check_at)
    SELECT id, 'eu-west', slot, phase, grid_slot_after(${now}::timestamptz, ${INTERVAL_SECONDS}::int, phase)
      FROM unnest(${ids}::text[], ${places.map(({ slot }) => slot)}::smallint[],
                  ${places.map(({ phase }) => phase)}::smallint[]) AS place (id, slot, phase)`;
}
