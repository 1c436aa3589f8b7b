import { describe, expect, it, onTestFinished } from 'vitest';
import { deleteMonitor, setMonitorsEnabled } from '@/lib/domain/monitors/change-selected';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { recordResults } from '@/lib/engine/checks/recording/record-results';
import { tickUnservedMonitors } from '@/lib/engine/checks/tick-monitors';
import { FAILED, OK, recordAsOwner, SLOW } from '@/lib/engine/testing/story';
import { beginMaintenance, endMaintenance } from '@/lib/engine/upkeep/run-maintenance-windows';
import { useTestDatabase } from '@/lib/testing/database';
import { holdBeforeCommit } from '@/lib/testing/races';
import { openCountingDatabase } from '@/lib/testing/statements';
import { judgeGroups } from './judge-groups';
import { beginGroupStory } from './testing/group-story';

const database = useTestDatabase();
const begin = () => beginGroupStory(database.db);

const all = (ids: readonly string[], result: typeof OK) => Object.fromEntries(ids.map((id) => [id, result]));

describe('a group', () => {
  it('is pending until a member counts, and then what its members amount to', async () => {
    const story = await begin();
    const ids = await story.addMembers(3);
    const group = await story.addGroup(ids);
    await story.judge();
    expect(await story.status(group)).toBe('pending');
    await story.report(all(ids, OK));
    expect(await story.status(group)).toBe('operational');
    expect(await story.reason(group)).toBe('3 of 3 members are up, all must be up');
  });

  it.each([
    ['all', null, ['down', 'down', 'down', 'down']],
    ['any', null, ['operational', 'operational', 'operational', 'down']],
    ['count', 3, ['operational', 'down', 'down', 'down']],
    ['share', 50, ['operational', 'operational', 'down', 'down']],
  ] as const)(
    'with the rule %s %s follows how many are down',
    async (memberRule, memberMinimum, expected) => {
      const story = await begin();
      const ids = await story.addMembers(4);
      const group = await story.addGroup(ids, { memberRule, memberMinimum });
      await story.report(all(ids, OK));
      const seen = [];
      for (const id of ids) {
        await story.report({ [id]: FAILED });
        seen.push(await story.status(group));
      }
      expect(seen).toEqual(expected);
    },
  );

  it('is degraded while a member is, which counts as up', async () => {
    const story = await begin();
    const [a = '', b = ''] = await story.addMembers(2, { recoveryThreshold: 1 });
    const group = await story.addGroup([a, b]);
    await story.report({ [a]: OK, [b]: OK });
    await story.report({ [a]: SLOW, [b]: OK });
    expect(await story.status(group)).toBe('degraded');
    expect(await story.reason(group)).toBe('1 of 2 members is degraded: Member 1');
    await story.report({ [a]: OK, [b]: OK });
    expect(await story.status(group)).toBe('operational');
  });

  it('does not count members that are pending, paused, or in maintenance, and is unknown if none counts', async () => {
    const story = await begin();
    const [a = '', b = '', c = ''] = await story.addMembers(3);
    const group = await story.addGroup([a, b, c], { memberRule: 'count', memberMinimum: 2 });
    await story.report({ [a]: OK, [b]: FAILED });
    expect(await story.status(group)).toBe('down');
    await setMonitorsEnabled(story.ctx, [b], false);
    await story.judge();
    expect(await story.status(group)).toBe('operational');
    await database.db.$transaction((tx) => beginMaintenance(tx, story.services, [a]));
    await story.judge();
    expect(await story.read(group)).toMatchObject({
      status: 'operational',
      noDataSince: story.clock.now().toISOString(),
    });
    const unknownAt = 90_000;
    story.clock.advance(60_000);
    await database.db.$transaction((tx) => endMaintenance(tx, story.services, [a]));
    await story.judge();
    expect(await story.read(group)).toMatchObject({ status: 'operational', noDataSince: null });
    expect((await story.ledger(group)).slice(-3)).toEqual(
      [
        { state: 'operational', from: unknownAt },
        { state: 'unknown', from: unknownAt },
        { state: 'operational', from: unknownAt + 60_000 },
      ]
        .slice(-2)
        .toSpliced(0, 0, { state: 'pending', from: 0 }),
    );
  });

  it('begins its period with the period of the member that tipped it', async () => {
    const story = await begin();
    const [a = '', b = ''] = await story.addMembers(2, { alertThreshold: 3 });
    const group = await story.addGroup([a, b], { memberRule: 'any' });
    await story.report({ [a]: OK, [b]: OK });
    for (let n = 0; n < 3; n++) await story.report({ [a]: FAILED, [b]: OK });
    expect(await story.status(group)).toBe('operational');
    const beganAt = 90_000 * 5;
    for (let n = 0; n < 3; n++) await story.report({ [a]: FAILED, [b]: FAILED });
    expect(await story.status(group)).toBe('down');
    expect((await story.ledger(group)).at(-1)).toEqual({ state: 'down', from: beganAt });
  });

  it('has incidents like any other monitor', async () => {
    const story = await begin();
    const ids = await story.addMembers(2);
    const group = await story.addGroup(ids, { name: 'Shop cluster' });
    await story.report(all(ids, OK));
    await story.report(all(ids, FAILED));
    const [incident] = await database.db.incident.findMany({ where: { monitorId: group } });
    expect(incident).toMatchObject({ title: 'Shop cluster is down', severity: 'critical', resolvedAt: null });
    await story.report(all(ids, OK));
    const [resolved] = await database.db.incident.findMany({ where: { monitorId: group } });
    expect(resolved?.resolvedAt).not.toBeNull();
  });

  it('loses a member that is deleted, and is judged without it from then on', async () => {
    const story = await begin();
    const [a = '', b = ''] = await story.addMembers(2);
    const group = await story.addGroup([a, b], { memberRule: 'any' });
    await story.report({ [a]: OK, [b]: OK });
    await story.report({ [b]: FAILED });
    story.clock.advance(30_000);
    await deleteMonitor(story.ctx, a);
    await story.judge();
    expect(await story.read(group)).toMatchObject({ status: 'down', members: [b] });
    expect((await story.ledger(group)).at(-1)).toEqual({ state: 'down', from: 2 * 90_000 + 30_000 });
  });

  it('is judged by another rule from the moment of the change', async () => {
    const story = await begin();
    const [a = '', b = ''] = await story.addMembers(2);
    const group = await story.addGroup([a, b], { memberRule: 'any' });
    await story.report({ [a]: OK, [b]: FAILED });
    expect(await story.status(group)).toBe('operational');
    story.clock.advance(30_000);
    await updateMonitor(story.ctx, group, { memberRule: 'all' });
    await story.judge();
    expect(await story.status(group)).toBe('down');
    expect((await story.ledger(group)).at(-1)).toEqual({ state: 'down', from: 90_000 + 30_000 });
  });

  it('is judged again when it is resumed, and when its own maintenance ends', async () => {
    const story = await begin();
    const [a = ''] = await story.addMembers(1);
    const group = await story.addGroup([a]);
    await story.report({ [a]: OK });
    await setMonitorsEnabled(story.ctx, [group], false);
    await story.report({ [a]: FAILED });
    expect(await story.read(group)).toMatchObject({ status: 'operational', enabled: false });
    await setMonitorsEnabled(story.ctx, [group], true);
    await story.judge();
    expect(await story.status(group)).toBe('down');

    await database.db.$transaction((tx) => beginMaintenance(tx, story.services, [group]));
    await story.report({ [a]: OK });
    await database.db.$transaction((tx) => endMaintenance(tx, story.services, [group]));
    await story.judge();
    expect(await story.status(group)).toBe('operational');
  });

  it('does not count a member whose regions are silent', async () => {
    const story = await begin();
    const [a = '', b = ''] = await story.addMembers(2);
    const group = await story.addGroup([a, b]);
    await story.report({ [a]: OK, [b]: FAILED });
    await setMonitorsEnabled(story.ctx, [b], false);
    await story.judge();
    expect(await story.status(group)).toBe('operational');
    story.clock.advance(3_600_000);
    await tickUnservedMonitors(story.services, ['us-east']);
    await story.judge();
    expect((await story.ledger(group)).at(-1)?.state).toBe('unknown');
  });
});

describe('a group of groups', () => {
  it('follows them, after they were judged', async () => {
    const story = await begin();
    const [a = '', b = '', c = ''] = await story.addMembers(3);
    const inner = await story.addGroup([a, b], { memberRule: 'any' });
    const middle = await story.addGroup([inner, c], { memberRule: 'any' });
    const outer = await story.addGroup([middle, a], { memberRule: 'any' });
    await story.report({ [a]: FAILED, [b]: OK, [c]: FAILED });
    expect(await Promise.all([inner, middle, outer].map(story.status))).toEqual(Array(3).fill('operational'));
    // If it were judged before the inner one, nothing of it would be up for a moment.
    await story.report({ [a]: OK, [b]: FAILED });
    expect((await story.ledger(outer)).map(({ state }) => state)).toEqual(['pending', 'operational']);
    await story.report({ [a]: FAILED });
    expect(await Promise.all([inner, middle, outer].map(story.status))).toEqual(Array(3).fill('down'));
    const began = (await Promise.all([inner, middle, outer].map(story.ledger))).map(
      (ledger) => ledger.at(-1)?.from,
    );
    expect(began).toEqual(Array(3).fill(3 * 90_000));
  });
});

describe('judging groups', () => {
  it('is asked for by nothing but a change of a member', async () => {
    const story = await begin();
    const [a = ''] = await story.addMembers(1);
    await story.addGroup([a]);
    const pendingChanges = () =>
      database.db.$queryRaw<[{ count: number }]>`SELECT count(*)::int FROM raw.group_change`;
    await story.report({ [a]: OK });
    story.clock.advance(90_000);
    const [check] = await story.take();
    if (!check) throw new Error('nothing was due');
    const counting = openCountingDatabase(database.url);
    onTestFinished(() => counting.db.$disconnect());
    const finished = [{ check, startedAt: story.clock.now(), result: OK }];
    const recorded = () => recordResults({ ...story.services, db: counting.db }, finished);
    expect(await counting.count(recorded)).toBeLessThan(5);
    expect(counting.seen('group_change')).toBe(0);
    expect(await pendingChanges()).toEqual([{ count: 0 }]);
  });

  it('takes as many statements for many groups, members and changes as for one', async () => {
    const counting = openCountingDatabase(database.url);
    onTestFinished(() => counting.db.$disconnect());
    const counts: number[] = [];
    for (const size of [1, 20, 60]) {
      const story = await begin();
      const ids = await story.addMembers(size);
      for (let n = 0; n < size; n++) await story.addGroup(ids);
      await story.report(all(ids, OK));
      story.clock.advance(90_000);
      const taken = await story.take();
      await recordAsOwner(
        story.services,
        taken.map((check) => ({ check, startedAt: story.clock.now(), result: FAILED })),
      );
      counts.push(await counting.count(() => judgeGroups({ ...story.services, db: counting.db })));
    }
    expect(new Set(counts).size, String(counts)).toBe(1);
  });

  it('leaves a change that commits while it judges for the next time, and waits for nobody who changes a member', async () => {
    const story = await begin();
    const [a = '', b = '', c = ''] = await story.addMembers(3);
    const group = await story.addGroup([a, b, c]);
    await story.report(all([a, b, c], OK));
    const { ctx } = story;
    const held = await holdBeforeCommit(database.db, (db) => setMonitorsEnabled({ ...ctx, db }, [a], false));
    expect(await story.judge()).toBe(0);
    await setMonitorsEnabled(ctx, [b], false);
    expect(await story.judge()).toBe(1);
    await held.release();
    expect(await story.judge()).toBe(1);
    await setMonitorsEnabled(ctx, [c], false);
    await story.judge();
    expect((await story.ledger(group)).at(-1)?.state).toBe('unknown');
  });

  it('is done by one worker at a time, while members change and groups are edited', async () => {
    const story = await begin();
    const ids = await story.addMembers(6);
    const groups = [await story.addGroup(ids), await story.addGroup(ids.slice(0, 3), { memberRule: 'any' })];
    const outer = await story.addGroup([...groups, ids[5] ?? '']);
    await story.report(all(ids, OK));
    for (let round = 0; round < 6; round++) {
      story.clock.advance(90_000);
      const taken = await story.take();
      const result = round % 2 === 0 ? FAILED : OK;
      const finished = taken.map((check) => ({ check, startedAt: story.clock.now(), result }));
      await Promise.all([
        recordAsOwner(story.services, finished.slice(0, 3)),
        recordAsOwner(story.services, finished.slice(3)),
        story.judge(),
        updateMonitor(story.ctx, groups[round % 2] ?? '', { memberRule: round % 3 === 0 ? 'all' : 'any' }),
        setMonitorsEnabled(story.ctx, [outer, ids[0] ?? ''], round % 2 === 1),
        story.judge(),
      ]);
    }
    await story.report(all(ids, OK));
    expect(await Promise.all([...groups, outer].map(story.status))).toEqual(Array(3).fill('operational'));
  });
});
