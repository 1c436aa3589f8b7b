import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { copyMonitor } from '@/lib/domain/monitors/testing/history';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { beginStory, FAILED, OK, START, UNKNOWN } from '@/lib/engine/testing/story';
import { regionNumber } from '@/lib/schemas/regions';
import { listSlots, nextSlot, SHARDS, schedulePlace } from '@/lib/state/schedule-grid';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { keepLog } from '@/lib/testing/kept-log';
import { loadMonitors, loadQuery } from './load-monitors';

const database = useTestDatabase();
beforeEach(() => database.db.organization.deleteMany());
const REGION = 'us-east';
const feed = { snapshot: '1:1:' };
const ALL = Array.from({ length: SHARDS }, (_, shard) => shard);

async function begin() {
  const story = await beginStory(database.db);
  const { log, lines } = keepLog();
  const load = (selection: Parameters<typeof loadMonitors>[2], region = REGION) =>
    loadMonitors(story.services, { region, feed, log }, selection);
  return {
    ...story,
    lines,
    load,
    loadOne: async (id: string) => {
      const [monitor] = await load({ shards: ALL, ids: [id] });
      if (!monitor) throw new Error('it was not loaded');
      return monitor;
    },
    /** Stores a check that began at a moment, as any worker could have. */
    store: (id: string, startedAt: Date, outcome = 0) => database.db.$executeRaw`
      INSERT INTO raw.check_result (checked_at, monitor, response_time, region, outcome)
      SELECT ${startedAt}, number, 12, ${regionNumber(REGION)}::int, ${outcome}::int FROM monitor WHERE id = ${id}`,
  };
}

const later = (ms: number) => new Date(START.getTime() + ms);

describe('loading monitors', () => {
  it('includes what the probe needs, with decrypted headers and body', async () => {
    const { addMonitor, loadOne } = await begin();
    const request = { method: 'POST', headers: { Authorization: 'Bearer t' }, body: '{"a":1}' };
    const { id } = await addMonitor({ ...request, expectedStatusCode: 201, keyword: 'ok' });
    const { target, targetError } = await loadOne(id);
    expect(target).toMatchObject({ ...request, expectedStatusCode: 201, keyword: 'ok', timeout: 30 });
    expect(targetError).toBeNull();
  });

  it('reports which headers cannot be decrypted, and loads all others', async () => {
    const { addMonitor, load } = await begin();
    const bad = await addMonitor({ headers: { 'X-Token': 'one' } });
    const good = await addMonitor({ headers: { 'X-Token': 'two' } });
    const data = { headersSealed: new Uint8Array([1, 2, 3]) };
    await database.db.monitor.update({ where: { id: bad.id }, data });
    const loaded = new Map((await load({ shards: ALL, ids: [bad.id, good.id] })).map((one) => [one.id, one]));
    expect(loaded.get(bad.id)).toMatchObject({ targetError: expect.any(String), target: { headers: {} } });
    expect(loaded.get(good.id)?.target).toMatchObject({ headers: { 'X-Token': 'two' } });
    expect(loaded.get(good.id)?.targetError).toBeNull();
  });

  it('finds the enabled monitors of a region by shard, and by ID within shards', async () => {
    const { addMonitor, ctx, load } = await begin();
    const regions = ['us-east', 'eu-west'];
    const made = await Promise.all(Array.from({ length: 12 }, () => addMonitor({ regions })));
    const [paused, ...running] = made;
    await addMonitor({ regions: ['ap-southeast'] });
    await updateMonitor(ctx, paused?.id ?? '', { enabled: false });
    const ids = running.map(({ id }) => id).toSorted();
    for (const region of regions) {
      const idsIn = async (selection: Parameters<typeof load>[0]) =>
        (await load(selection, region)).map(({ id }) => id).toSorted();
      const found = await load({ shards: ALL }, region);
      expect(found.map(({ id }) => id).toSorted()).toEqual(ids);
      for (const shards of [...ALL.map((shard) => [shard]), [2, 3, 11], []]) {
        const slots = shards.flatMap(listSlots);
        const inside = found.filter(({ slot }) => slots.includes(slot)).map(({ id }) => id);
        expect(await idsIn({ shards })).toEqual(inside.toSorted());
        expect(await idsIn({ shards, ids: made.map(({ id }) => id) })).toEqual(inside.toSorted());
        expect(await idsIn({ shards, ids: ids.slice(0, 6) })).toEqual(
          ids.slice(0, 6).filter((id) => inside.includes(id)),
        );
      }
      expect(found.map(({ id, slot, phase }) => ({ id, slot, phase }))).toEqual(
        found.map(({ id }) => ({ id, ...schedulePlace(id, region) })),
      );
    }
  });

  it('knows when a region last reported, and with which certificate, decided upon or not', async () => {
    const { addMonitor, clock, loadOne, ...story } = await begin();
    const { id } = await addMonitor({ alertThreshold: 1 });
    const check = story.check.bind({ take: story.take });
    expect(await loadOne(id)).toMatchObject({ lastResultAt: null, isContested: true });
    const secure = { ...OK, certificateExpiresAt: later(90 * 86_400_000) };
    const known = { isContested: false, certificateExpiresAt: later(90 * 86_400_000).getTime() };
    await check(secure, { afterMs: 0 });
    expect(await loadOne(id), 'decided').toMatchObject({ ...known, lastResultAt: START.getTime() });
    await check({ ...secure, responseTime: 34 });
    const lastResultAt = clock.now().getTime() + 34;
    expect(await loadOne(id), 'routine').toMatchObject({ ...known, lastResultAt });
    await check(FAILED);
    const failed = await loadOne(id);
    expect(failed).toMatchObject({
      failure: expect.stringContaining('503'),
      failedAt: clock.now().getTime(),
    });
    await check({ ...FAILED, responseTime: 34 });
    const failedAt = clock.now().getTime() + 34;
    expect(await loadOne(id), 'also routine').toMatchObject({
      failure: failed.failure,
      lastResultAt: failedAt,
      failedAt,
    });
    const timedOut = {
      ...FAILED,
      responseTime: null,
      error: { code: 'timeout', message: 'no response' },
    } as const;
    for (let round = 0; round < 2; round++) await check(timedOut);
    expect((await loadOne(id)).lastResultAt, 'after its timeout').toBe(clock.now().getTime() + 30_000);
    await check(secure);
    await check(UNKNOWN);
    expect((await loadOne(id)).lastResultAt, 'the latest was inconclusive').toBeNull();
  });

  it('reads by index, regardless of the number of monitors', async () => {
    const { addMonitor } = await begin();
    const { id } = await addMonitor();
    const copies = await copyMonitor(database.db, id, 3000);
    await database.db.$executeRaw`
      INSERT INTO probe_schedule (monitor_id, region, slot, phase, next_check_at)
      SELECT id, 'us-east', n % 256, n, ${START} FROM unnest(${copies}::text[]) WITH ORDINALITY AS copy (id, n)`;
    await database.db.$executeRaw`
      INSERT INTO raw.check_result (checked_at, monitor, response_time, region, outcome)
      SELECT ${START}::timestamptz + n * interval '1 minute', number, 12, 1, 0
        FROM monitor, generate_series(1, 5) AS n WHERE id = ANY(${copies})`;
    await database.db.$executeRaw`ANALYZE probe_schedule, monitor, monitor_state`;
    const scansOf = async (selection: Parameters<typeof loadQuery>[1]) => {
      const { steps } = await explain(database.db, loadQuery(REGION, selection, later(301_000)));
      return steps.filter(({ type }) => type === 'Seq Scan').map(({ relation }) => relation);
    };
    expect(await scansOf({ shards: ALL, ids: copies.slice(0, 3) })).toEqual([]);
    // A shard has a sixteenth of the monitors: so many of a small table may be read in one go.
    expect((await scansOf({ shards: [3] })).filter((relation) => relation !== 'monitor')).toEqual([]);
  });
});

describe('a monitor is due', () => {
  it('immediately when it is new', async () => {
    const { addMonitor, loadOne } = await begin();
    const { id } = await addMonitor();
    expect(await loadOne(id)).toMatchObject({ dueAt: START.getTime() });
  });

  it('in the slot of its grid that follows its latest check, conclusive or not, at every moment', async () => {
    const { addMonitor, clock, store, loadOne } = await begin();
    const { id } = await addMonitor({ interval: 30 });
    const { phase } = schedulePlace(id, REGION);
    let at = 0;
    const moments = fc.record({
      startMs: fc.integer({ min: 1, max: 100_000 }),
      lookMs: fc.integer({ min: 0, max: 30_000 }),
      outcome: fc.constantFrom(0, 1, 2),
    });
    await fc.assert(
      fc.asyncProperty(moments, async ({ startMs, lookMs, outcome }) => {
        const startedAt = later(at + startMs);
        at += startMs + lookMs;
        await store(id, startedAt, outcome);
        clock.set(later(at));
        expect((await loadOne(id)).dueAt).toBe(nextSlot(startedAt.getTime(), 30_000, phase));
      }),
      { numRuns: 50, endOnFailure: true },
    );
  });

  it('when it was scheduled off its grid, until a check began after that', async () => {
    const { addMonitor, ctx, clock, store, loadOne } = await begin();
    const { id } = await addMonitor({ interval: 300 });
    const { phase } = schedulePlace(id, REGION);
    await store(id, later(1000));
    clock.set(later(5000));
    await updateMonitor(ctx, id, { interval: 60 });
    const rescheduled = nextSlot(clock.now().getTime(), 60_000, phase);
    expect((await loadOne(id)).dueAt).toBe(rescheduled);
    const nextCheckAt = later(20_000);
    await database.db.probeSchedule.updateMany({ where: { monitorId: id }, data: { nextCheckAt } });
    expect((await loadOne(id)).dueAt).toBe(nextCheckAt.getTime());
    await store(id, later(20_003));
    expect((await loadOne(id)).dueAt).toBe(nextSlot(later(20_003).getTime(), 60_000, phase));
  });

  it('immediately when it was changed, and in its slot after a change that leaves what is probed', async () => {
    const { addMonitor, ctx, clock, store, loadOne } = await begin();
    const { id } = await addMonitor();
    await store(id, later(1000));
    clock.set(later(5000));
    await updateMonitor(ctx, id, { alertThreshold: 5 });
    const slot = nextSlot(later(1000).getTime(), 60_000, schedulePlace(id, REGION).phase);
    expect((await loadOne(id)).dueAt).toBe(slot);
    await updateMonitor(ctx, id, { url: 'http://other.test/' });
    expect((await loadOne(id)).dueAt).toBe(clock.now().getTime());
  });

  it('since one interval at most, however long nothing was checked', async () => {
    const { addMonitor, clock, store, loadOne } = await begin();
    const { id } = await addMonitor({ interval: 60 });
    for (const ms of [70_000, 3_600_000, 86_400_000]) {
      clock.set(later(ms));
      expect((await loadOne(id)).dueAt).toBe(later(ms - 60_000).getTime());
    }
    await store(id, later(86_400_000));
    clock.advance(170_000);
    expect((await loadOne(id)).dueAt).toBe(clock.now().getTime() - 60_000);
  });

  it('soon after the clock was set back', async () => {
    const { addMonitor, ctx, clock, store, loadOne } = await begin();
    const { id } = await addMonitor({ interval: 60 });
    await store(id, later(3_600_000));
    await store(id, later(30_000));
    clock.set(START);
    const within = async () => (await loadOne(id)).dueAt - START.getTime();
    expect(await within()).toBeLessThanOrEqual(3 * 60_000);
    await updateMonitor(ctx, id, { url: 'http://other.test/' });
    expect(await within()).toBeLessThanOrEqual(3 * 60_000);
  });
});
