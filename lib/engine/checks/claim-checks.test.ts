import { describe, expect, it } from 'vitest';
import { nextSlot, schedulePlace } from '@/lib/domain/monitors/probe-schedules';
import { copyMonitor } from '@/lib/domain/monitors/testing/history';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { releaseClaims } from '@/lib/engine/runtime/release-claims';
import { beginStory, START } from '@/lib/engine/testing/story';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { holdBeforeCommit } from '@/lib/testing/races';
import { claimDueChecks, claimQuery, nextDueAt } from './claim-checks';

const database = useTestDatabase();
const ALL = { region: 'us-east', shard: 0, shards: 1 };

describe('claiming due checks', () => {
  it('gives each check to only one of concurrent workers, which do not wait for each other', async () => {
    const story = await beginStory(database.db);
    const made = await Promise.all(Array.from({ length: 20 }, () => story.addMonitor()));
    const claim = (limit: number, db = database.db) =>
      claimDueChecks({ ...story.services, db }, ALL, { limit, workerId: 'wrk_test' });
    const first = await holdBeforeCommit(database.db, (db) => claim(8, db));
    const second = await holdBeforeCommit(database.db, (db) => claim(8, db));
    const third = await claim(1000);
    const claims = [await first.release(), await second.release(), third];
    expect(claims.slice(0, 2).map((checks) => checks.length)).toEqual([8, 8]);
    const claimed = claims.flat().map((check) => check.monitorId);
    const mine = claimed.filter((id) => made.some((monitor) => monitor.id === id));
    expect(mine.toSorted()).toEqual(made.map((monitor) => monitor.id).toSorted());
  });

  it('puts the next check on the same grid as nextSlot, at every moment of the interval', async () => {
    const story = await beginStory(database.db);
    const { id } = await story.addMonitor({ interval: 30 });
    const { phase } = schedulePlace(id, 'us-east');
    for (const afterMs of [0, 1, 7_123, 14_999, 15_001, 29_999, 30_000, 61_337, 3_600_001]) {
      story.clock.set(new Date(START.getTime() + 100_000_000 + afterMs));
      await database.db.probeSchedule.updateMany({
        where: { monitorId: id },
        data: { nextCheckAt: START, leaseUntil: null },
      });
      await story.claim();
      const { nextCheckAt } = await database.db.probeSchedule.findFirstOrThrow({ where: { monitorId: id } });
      expect(nextCheckAt).toEqual(nextSlot(story.clock.now(), 30, phase));
    }
  });

  it('claims a leased check again only after the lease has expired', async () => {
    const story = await beginStory(database.db);
    const { id } = await story.addMonitor({ timeout: 10 });
    const isClaimed = async () => (await story.claim()).some((check) => check.monitorId === id);
    expect(await isClaimed()).toBe(true);
    await database.db.probeSchedule.updateMany({ where: { monitorId: id }, data: { nextCheckAt: START } });
    story.clock.advance(34_999);
    expect(await isClaimed()).toBe(false);
    story.clock.advance(2);
    expect(await isClaimed()).toBe(true);
  });

  it('leaves other regions alone, and splits a region into shards without gap or overlap', async () => {
    const story = await beginStory(database.db);
    const made = await Promise.all(
      Array.from({ length: 12 }, () => story.addMonitor({ regions: ['eu-west'] })),
    );
    const ids = made.map((monitor) => monitor.id);
    const us = await story.claim('us-east');
    expect(us.filter((check) => ids.includes(check.monitorId))).toEqual([]);
    const shards = await Promise.all(
      [0, 1, 2].map((shard) =>
        claimDueChecks(
          story.services,
          { region: 'eu-west', shard, shards: 3 },
          { limit: 100, workerId: 'wrk_test' },
        ),
      ),
    );
    expect(
      shards
        .flat()
        .map((check) => check.monitorId)
        .filter((id) => ids.includes(id))
        .toSorted(),
    ).toEqual(ids.toSorted());
  });

  it('makes a released check due immediately', async () => {
    const story = await beginStory(database.db);
    const { id } = await story.addMonitor({ regions: ['ap-southeast'] });
    const share = { region: 'ap-southeast', shard: 0, shards: 1 };
    const [check] = await claimDueChecks(story.services, share, { limit: 1, workerId: 'wrk_test' });
    expect(check?.monitorId).toBe(id);
    expect(await nextDueAt(story.services, share)).toBeNull();
    await releaseClaims(story.services, [check?.claim ?? '']);
    expect(await nextDueAt(story.services, share)).toEqual(START);
  });

  it('includes what the probe needs, with decrypted headers and body', async () => {
    const story = await beginStory(database.db);
    const request = { method: 'POST', headers: { Authorization: 'Bearer t' }, body: '{"a":1}' };
    const { id } = await story.addMonitor({ ...request, expectedStatusCode: 201, keyword: 'ok' });
    const check = (await story.claim()).find((one) => one.monitorId === id);
    expect(check?.target).toMatchObject({ ...request, expectedStatusCode: 201, keyword: 'ok', timeout: 30 });
  });

  it('includes the same target until the monitor is changed, so that a probe prepares its request once', async () => {
    const story = await beginStory(database.db);
    const { id } = await story.addMonitor({ headers: { Authorization: 'Bearer one' } });
    const claimNext = async () => {
      story.clock.advance(90_000);
      const [check] = await story.claim();
      if (check) await releaseClaims(story.services, [check.claim]);
      return check?.target;
    };
    const first = await claimNext();
    expect(first).toMatchObject({ headers: { Authorization: 'Bearer one' } });
    expect(await claimNext()).toBe(first);
    await updateMonitor(story.ctx, id, { headers: { Authorization: 'Bearer two' } });
    expect(await claimNext()).toMatchObject({ headers: { Authorization: 'Bearer two' } });
    await updateMonitor(story.ctx, id, { timeout: 7 });
    expect(await claimNext()).toMatchObject({ timeout: 7 });
  });

  it('reads due checks by index, regardless of the number of monitors', async () => {
    const story = await beginStory(database.db);
    const { id } = await story.addMonitor();
    const copies = await copyMonitor(database.db, id, 3000);
    await database.db.$executeRaw`
      INSERT INTO probe_schedule (monitor_id, region, slot, phase, next_check_at)
      SELECT id, 'us-east', n % 256, n, ${START}::timestamptz + n * interval '20 milliseconds'
        FROM unnest(${copies}::text[]) WITH ORDINALITY AS copy (id, n)`;
    // Statistics from a minute ago, according to which everything is due, as usual.
    await database.db.$executeRaw`ANALYZE probe_schedule, monitor`;
    const claimant = { limit: 250, workerId: 'wrk_test' };
    for (const moment of [START, new Date(START.getTime() + 60_000)]) {
      const { steps } = await explain(database.db, claimQuery(ALL, claimant, moment));
      expect(steps.filter((step) => step.type === 'Seq Scan')).toEqual([]);
      expect(steps).toContainEqual(
        expect.objectContaining({ index: 'probe_schedule_region_next_check_at_idx', loops: 1 }),
      );
    }
  });
});
