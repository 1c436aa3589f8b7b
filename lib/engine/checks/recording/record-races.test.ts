import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ProbeResult } from '@/lib/checks/result';
import type { RacePoints } from '@/lib/domain/context/race-points';
import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import type { DueCheck } from '@/lib/engine/checks/shards/scheduled-monitor';
import { tickSilentMonitors } from '@/lib/engine/checks/tick-monitors';
import { beginStory, FAILED, OK, START } from '@/lib/engine/testing/story';
import { resolveOrphanedIncidents } from '@/lib/engine/upkeep/resolve-orphaned-incidents';
import type { Database } from '@/lib/platform/db/client';
import type { MonitorChanges } from '@/lib/schemas/monitor';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { holdAt, holdBeforeCommit, untilBlocked } from '@/lib/testing/races';
import { lockStates } from './monitor-states';
import { recordResults } from './record-results';

const database = useTestDatabase();
const REGIONS = ['us-east', 'eu-west'];

/** An organization with one endpoint and one monitor that is operational in every region. */
async function begin({
  regions = ['us-east'],
  ...fields
}: {
  regions?: string[];
  alertThreshold?: number;
} = {}) {
  const story = await beginStory(database.db);
  const { services, ctx, clock, organizationId } = story;
  await createWebhook(ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
  const { id } = await story.addMonitor({ alertThreshold: 1, regions, ...fields });
  for (const region of regions) await story.check(OK, { region, afterMs: 0 });
  clock.advance(90_000);
  const take = async (region = 'us-east', worker?: string) => {
    const [check] = await story.take(region, worker);
    if (!check) throw new Error('nothing was due');
    return check;
  };
  return {
    ...story,
    id,
    takeAll: story.take.bind(story),
    take,
    /** Records a result of a check that starts now. */
    record: (check: DueCheck, result: ProbeResult, by: { races?: RacePoints; db?: Database } = {}) =>
      recordResults({ ...services, ...by }, [{ check, startedAt: clock.now(), result }]),
    change: (changes: MonitorChanges, db = database.db) => updateMonitor({ ...ctx, db }, id, changes),
    monitor: () => getMonitor(ctx, id),
    events: async () =>
      (await database.db.outboxEvent.findMany({ where: { organizationId }, orderBy: { id: 'asc' } })).map(
        ({ kind, occurredAt }) => ({ kind, at: occurredAt.getTime() - clock.now().getTime() }),
      ),
    incidents: () => database.db.incident.findMany({ where: { organizationId } }),
    periods: async () =>
      (await database.db.statusPeriod.findMany({ where: { monitorId: id }, orderBy: { id: 'asc' } })).map(
        ({ state }) => state,
      ),
    results: () =>
      database.db.$queryRaw<{ outcome: number }[]>`
        SELECT outcome FROM raw.check_result JOIN monitor ON monitor.number = monitor
         WHERE monitor.id = ${id} AND checked_at > ${START} ORDER BY checked_at`,
  };
}

const OUTAGE = [
  { kind: 'monitor.down', at: 0 },
  { kind: 'incident.created', at: 0 },
];

describe('two recorders of one monitor', () => {
  it('that submit the same batch count it once: one result, one transition, one event, one incident', async () => {
    const { take, services, clock, ...story } = await begin();
    const finished = [{ check: await take(), startedAt: clock.now(), result: FAILED }];
    const batch = { id: randomUUID(), routine: null };
    const record = (races?: RacePoints) =>
      recordResults({ ...services, ...(races && { races }) }, finished, { ...batch });
    const first = await holdAt('states locked', record);
    const others = [record(), record()];
    await untilBlocked(database.db, 2);
    expect(await first.release()).toBe(1);
    expect(await Promise.all(others)).toEqual([0, 0]);
    expect(await story.monitor()).toMatchObject({ status: 'down', consecutiveFailures: 1 });
    expect(await story.results()).toEqual([{ outcome: 1 }]);
    expect(await story.periods()).toEqual(['pending', 'operational', 'down']);
    expect(await story.events()).toEqual(OUTAGE);
    expect(await story.incidents()).toHaveLength(1);
  });

  it('of different regions take turns, and the second continues from the state that the first wrote', async () => {
    const { take, record, ...story } = await begin({ regions: REGIONS });
    const [us, eu] = [await take('us-east'), await take('eu-west')];
    const first = await holdBeforeCommit(database.db, (db) => record(us, FAILED, { db }));
    const second = record(eu, FAILED);
    await untilBlocked(database.db);
    expect(await story.monitor()).toMatchObject({ status: 'operational' });
    expect([await first.release(), await second]).toEqual([1, 1]);
    expect(await story.monitor()).toMatchObject({ status: 'down', consecutiveFailures: 1 });
    expect(await story.results()).toHaveLength(2);
    expect(await story.periods()).toEqual(['pending', 'operational', 'down']);
    expect(await story.events()).toEqual(OUTAGE);
    expect(await story.incidents()).toHaveLength(1);
  });

  it.each([['in order'], ['in the other order']])(
    'come to the same status when results arrive %s',
    async (order) => {
      const { take, record, clock, ...story } = await begin({ regions: REGIONS });
      const us = { check: await take('us-east'), startedAt: clock.now(), result: FAILED };
      clock.advance(5000);
      const eu = { check: await take('eu-west'), startedAt: clock.now(), result: FAILED };
      const [first, second] = order === 'in order' ? [us, eu] : [eu, us];
      expect(await recordResults(story.services, [first])).toBe(1);
      expect(await recordResults(story.services, [second])).toBe(1);
      expect(await story.monitor()).toMatchObject({
        status: 'down',
        consecutiveFailures: 1,
        lastCheckedAt: eu.startedAt.toISOString(),
      });
      expect(await story.periods()).toEqual(['pending', 'operational', 'down']);
      expect(await story.events()).toEqual(OUTAGE);
      expect(await story.incidents()).toHaveLength(1);
    },
  );

  it('decide when it is their turn: no decision is dated before one that it waited for', async () => {
    const { id, take, record, clock, ...story } = await begin();
    const check = await take();
    const other = await holdBeforeCommit(database.db, (db) => lockStates(db, [id]));
    const recording = record(check, FAILED);
    await untilBlocked(database.db);
    clock.advance(30_000);
    await other.release();
    expect(await recording).toBe(1);
    expect(await story.events()).toEqual(OUTAGE);
  });
});

describe('a result recorded while its monitor is edited', () => {
  it('is dropped if a change of what is probed comes first: the monitor is pending', async () => {
    const { take, record, change, ...story } = await begin();
    const check = await take();
    const edit = await holdBeforeCommit(database.db, (db) => change({ url: 'http://other.test/' }, db));
    const recording = record(check, FAILED);
    await untilBlocked(database.db);
    await edit.release();
    expect(await recording).toBe(0);
    expect(await story.monitor()).toMatchObject({ status: 'pending', consecutiveFailures: 0 });
    expect(await story.results()).toEqual([]);
    expect(await story.events()).toEqual([]);
  });

  it.each(['url', 'enabled'])(
    'counts if it comes first: a change of %s waits, and applies after it',
    async (field) => {
      const { take, record, change, ...story } = await begin();
      const check = await take();
      const recording = await holdAt('states locked', (races) => record(check, FAILED, { races }));
      const edit = change(field === 'url' ? { url: 'http://other.test/' } : { enabled: false });
      await untilBlocked(database.db);
      expect(await recording.release()).toBe(1);
      const status = field === 'url' ? 'pending' : 'down';
      expect(await edit).toMatchObject({ status, enabled: field === 'url' });
      expect(await story.periods()).toEqual([
        'pending',
        'operational',
        'down',
        field === 'url' ? 'pending' : 'paused',
      ]);
      expect(await story.events()).toEqual(OUTAGE);
    },
  );

  it('is judged by the thresholds of the edit that it waited for', async () => {
    const { take, record, change, ...story } = await begin();
    const check = await take();
    const edit = await holdBeforeCommit(database.db, (db) => change({ alertThreshold: 3 }, db));
    const recording = record(check, FAILED);
    await untilBlocked(database.db);
    await edit.release();
    expect(await recording).toBe(1);
    expect(await story.monitor()).toMatchObject({ status: 'operational', consecutiveFailures: 1 });
    expect(await story.events()).toEqual([]);
  });

  it('does not count while the monitor is being paused, and no unknown period starts', async () => {
    const { take, record, change, ...story } = await begin();
    const check = await take();
    story.clock.advance(600_000);
    const edit = await holdBeforeCommit(database.db, (db) => change({ enabled: false }, db));
    const others = [record(check, FAILED), tickSilentMonitors(story.services)];
    await untilBlocked(database.db, 2);
    await edit.release();
    expect((await Promise.all(others))[0]).toBe(0);
    expect(await story.monitor()).toMatchObject({ status: 'operational', enabled: false });
    expect(await story.periods()).toEqual(['pending', 'operational', 'paused']);
  });
});

describe('a result recorded while its monitor is deleted', () => {
  it('is dropped if the deletion comes first, and the others of its batch count', async () => {
    const { id, takeAll, ctx, services, ...story } = await begin();
    const other = await story.addMonitor();
    const taken = await takeAll();
    expect(taken.map(({ monitor }) => monitor.id).toSorted()).toEqual([id, other.id].toSorted());
    const deletion = await holdBeforeCommit(database.db, (db) => deleteMonitor({ ...ctx, db }, id));
    const finished = taken.map((check) => ({ check, startedAt: story.clock.now(), result: FAILED }));
    const recording = recordResults(services, finished);
    await untilBlocked(database.db);
    await deletion.release();
    expect(await recording).toBe(1);
    expect(await getMonitor(ctx, other.id)).toMatchObject({ consecutiveFailures: 1 });
    expect(await story.incidents()).toEqual([]);
  });

  it('counts if it comes first: the deletion waits, and its incident is resolved once', async () => {
    const { id, take, record, ctx, services, ...story } = await begin();
    await resolveOrphanedIncidents(services);
    const check = await take();
    const recording = await holdAt('states locked', (races) => record(check, FAILED, { races }));
    const deletion = deleteMonitor(ctx, id);
    await untilBlocked(database.db);
    expect(await recording.release()).toBe(1);
    await deletion;
    const first = await holdBeforeCommit(database.db, (db) => resolveOrphanedIncidents({ ...services, db }));
    expect(await resolveOrphanedIncidents(services), 'another sweep skips it without waiting').toBe(0);
    expect(await first.release()).toBe(1);
    expect(await story.incidents()).toMatchObject([{ status: 'resolved' }]);
    expect(await story.events()).toEqual([...OUTAGE, { kind: 'incident.resolved', at: 0 }]);
  });
});

it('two sweeps of silent monitors start one unknown period', async () => {
  const story = await begin();
  story.clock.advance(600_000);
  const first = await holdBeforeCommit(database.db, (db) => tickSilentMonitors({ ...story.services, db }));
  const second = tickSilentMonitors(story.services);
  await untilBlocked(database.db);
  await first.release();
  await second;
  expect(await story.periods()).toEqual(['pending', 'operational', 'unknown']);
});
