import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScheduled } from '@/lib/engine/testing/scheduled';
import { gridSlotAfter } from '@/lib/state/schedule-grid';
import { OrganizationShares } from './organization-shares';
import { CheckSchedule } from './schedule';
import type { ScheduledMonitor } from './scheduled-monitor';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const INTERVAL_MS = 30_000;
const SECOND_MS = 1000;

const createDue = (fields: Partial<ScheduledMonitor> = {}) =>
  createScheduled({ intervalMs: INTERVAL_MS, dueAt: NOW, ...fields });

/** Monitors in the schedule, each due at the next slot of its grid. */
function fill(schedule: CheckSchedule, count: number): ScheduledMonitor[] {
  return Array.from({ length: count }, (_, n) => {
    const monitor = createDue({ id: `mon_${n}` });
    monitor.dueAt = gridSlotAfter(NOW, INTERVAL_MS, monitor.phase);
    schedule.put(monitor);
    return monitor;
  });
}

/** Takes everything that is due, and gives it back at once. */
function checkDue(schedule: CheckSchedule, now: number): string[] {
  const ids: string[] = [];
  for (let next = schedule.take(now); next !== null; next = schedule.take(now)) {
    ids.push(next.monitor.id);
    schedule.giveBack(next.monitor, now);
  }
  return ids;
}

describe('a monitor', () => {
  it('that was checked before the clock was set back is not put off until then', () => {
    const schedule = new CheckSchedule();
    schedule.put(createDue({ dueAt: NOW + 3_600_000 }));
    checkDue(schedule, NOW + 3_600_000);
    schedule.put(createDue());
    expect(schedule.nextDueAt()).toBeLessThanOrEqual(NOW + 3 * INTERVAL_MS);
  });

  // Seed 107 of the fault run: two results in one slot.
  it('that was read while its check was being recorded is not due again in the same slot', () => {
    const schedule = new CheckSchedule();
    schedule.put(createDue());
    const running = schedule.take(NOW)?.monitor;
    if (!running) throw new Error('nothing was due');
    const readMeanwhile = createDue();
    schedule.giveBack(running, NOW + SECOND_MS);
    schedule.put(readMeanwhile);
    expect(schedule.take(NOW + 10 * SECOND_MS)).toBeNull();
    schedule.put(createDue({ scheduledAt: NOW + SECOND_MS }));
    expect(schedule.take(NOW + 10 * SECOND_MS), 'scheduled again since').not.toBeNull();
  });

  it('whose result showed nothing is due again with the next spread, the first at once, unless it runs', () => {
    const schedule = new CheckSchedule();
    const [running, ...others] = fill(schedule, 4);
    if (!running) throw new Error('nothing was due');
    const taken = schedule.take(running.dueAt);
    const now = running.dueAt + 1;
    for (const { id } of [running, ...others]) schedule.checkAgain(id, now);
    expect(schedule.spread(now)).toBe(4 - (taken ? 1 : 0));
    expect(schedule.nextDueAt()).toBe(now);
    expect(checkDue(schedule, now)).toHaveLength(1);
  });

  it('whose result showed nothing is due within a tenth of a second for each, if there are few', () => {
    const schedule = new CheckSchedule();
    for (let n = 0; n < 5; n++) schedule.put(createDue({ id: `mon_${n}`, dueAt: NOW + INTERVAL_MS }));
    for (let n = 0; n < 5; n++) schedule.checkAgain(`mon_${n}`, NOW);
    schedule.spread(NOW);
    const dueAt = Array.from({ length: 5 }, () => schedule.take(NOW + SECOND_MS)?.dueAt);
    expect(dueAt).toEqual([0, 100, 200, 300, 400].map((ms) => NOW + ms));
  });

  it('is due when the schedule says, the longest due first', () => {
    const schedule = new CheckSchedule();
    for (const [id, dueAt] of Object.entries({ second: NOW + 2, third: NOW + 3, first: NOW + 1 }))
      schedule.put(createDue({ id, dueAt }));
    expect(schedule.nextDueAt()).toBe(NOW + 1);
    expect(schedule.take(NOW)).toBeNull();
    expect(checkDue(schedule, NOW + 2)).toEqual(['first', 'second']);
    expect(schedule.nextDueAt()).toBe(NOW + 3);
  });

  it('is due again at its slots, one interval apart, however late its checks begin', () => {
    const schedule = new CheckSchedule();
    const monitor = createDue();
    schedule.put(monitor);
    checkDue(schedule, NOW);
    const first = monitor.dueAt;
    expect(gridSlotAfter(first - 1, INTERVAL_MS, monitor.phase)).toBe(first);
    checkDue(schedule, first + 700);
    expect(monitor.dueAt).toBe(first + INTERVAL_MS);
  });

  it('that was taken is not due until it is given back', () => {
    const schedule = new CheckSchedule();
    const monitor = createDue();
    schedule.put(monitor);
    expect(schedule.take(NOW)).toMatchObject({ monitor: { id: monitor.id }, dueAt: NOW });
    expect(schedule.take(NOW + 10 * INTERVAL_MS)).toBeNull();
    schedule.spread(NOW + 10 * INTERVAL_MS);
    expect(schedule.nextDueAt()).toBeNull();
    schedule.giveBack(monitor, NOW + 10 * INTERVAL_MS);
    expect(schedule.nextDueAt()).toBeGreaterThan(NOW + 10 * INTERVAL_MS);
  });

  it('skips the slot that its check overran', () => {
    const schedule = new CheckSchedule();
    const monitor = createDue();
    schedule.put(monitor);
    schedule.take(NOW);
    const planned = monitor.dueAt;
    schedule.giveBack(monitor, planned + 10_000);
    expect(schedule.nextDueAt()).toBe(planned + INTERVAL_MS);
  });

  it('keeps the slot that its check did not overrun', () => {
    const schedule = new CheckSchedule();
    const monitor = createDue();
    schedule.put(monitor);
    schedule.take(NOW);
    const planned = monitor.dueAt;
    schedule.giveBack(monitor, planned - 1);
    expect(schedule.nextDueAt()).toBe(planned);
  });

  it('that was removed is not due, nor when its check ends', () => {
    const schedule = new CheckSchedule();
    const [running, waiting] = [createDue({ id: 'mon_running' }), createDue({ id: 'mon_waiting' })];
    schedule.put(running);
    schedule.take(NOW);
    schedule.put(waiting);
    for (const { id } of [running, waiting]) schedule.remove(id);
    expect([running.isOutdated, waiting.isOutdated]).toEqual([true, true]);
    schedule.giveBack(running, NOW);
    expect(schedule.nextDueAt()).toBeNull();
    expect(schedule.size()).toBe(0);
  });

  it('is removed with its shard, and the others stay', () => {
    const schedule = new CheckSchedule();
    for (const slot of [15, 16, 31, 32]) schedule.put(createDue({ id: `mon_${slot}`, slot }));
    schedule.removeShard(1);
    expect(checkDue(schedule, NOW)).toEqual(['mon_15', 'mon_32']);
  });
});

describe('a monitor that is replaced', () => {
  it('is due as the new one says, once', () => {
    const schedule = new CheckSchedule();
    const before = createDue({ dueAt: NOW + 5000 });
    schedule.put(before);
    schedule.put(createDue({ dueAt: NOW + 1000 }));
    expect(before.isOutdated).toBe(true);
    expect(schedule.nextDueAt()).toBe(NOW + 1000);
    expect(checkDue(schedule, NOW + 6000)).toEqual(['mon_1']);
  });

  it.each([
    ['it was contested', { isContested: true }, ['us-east'], true],
    ['its owner has decided about it since it was read', { decidedAt: NOW }, ['us-east'], true],
    ['nothing was decided', {}, ['us-east'], false],
    [
      'it has several regions, whose owners are notified',
      { isContested: true },
      ['us-east', 'eu-west'],
      false,
    ],
  ])('is taken for contested as its owner knows it: %s', (_, since, regions, isContested) => {
    const schedule = new CheckSchedule();
    const create = () => {
      const monitor = createDue({ isContested: false, decidedAt: NOW - 60_000 });
      return { ...monitor, config: { ...monitor.config, regions } };
    };
    const [before, after] = [create(), create()];
    schedule.put(before);
    Object.assign(before, since);
    schedule.put(after);
    expect(after.isContested).toBe(isContested);
  });

  it('while it is being checked is due when that check has ended', () => {
    const schedule = new CheckSchedule();
    const before = createDue();
    schedule.put(before);
    schedule.take(NOW);
    schedule.put(createDue({ dueAt: NOW + 1000, scheduledAt: NOW + 1000 }));
    expect(schedule.nextDueAt()).toBeNull();
    schedule.giveBack(before, NOW + 500);
    expect(schedule.nextDueAt()).toBe(NOW + 1000);
  });

  it('with another configuration is due although its check runs, whose end changes nothing', () => {
    const schedule = new CheckSchedule();
    const before = createDue();
    schedule.put(before);
    schedule.take(NOW);
    const after = createDue({ configVersion: 2 });
    schedule.put(after);
    expect(schedule.take(NOW)?.monitor).toBe(after);
    const planned = after.dueAt;
    schedule.giveBack(before, planned + 1);
    expect(schedule.nextDueAt(), 'the new one is being checked').toBeNull();
    schedule.giveBack(after, planned - 1);
    expect(schedule.nextDueAt()).toBe(planned);
  });

  it('with another configuration stays due if its check ends before the new one begins', () => {
    const schedule = new CheckSchedule();
    const before = createDue();
    schedule.put(before);
    schedule.take(NOW);
    schedule.put(createDue({ configVersion: 2 }));
    schedule.giveBack(before, NOW + 1);
    expect(checkDue(schedule, NOW + 1)).toEqual(['mon_1']);
  });
});

describe.each([
  ['4 s', { gapMs: 4000, pace: 3, most: 5 }],
  ['10 s', { gapMs: 10_000, pace: 3, most: 5 }],
  ['half an interval', { gapMs: 15_000, pace: 1.5, most: 3 }],
  ['an interval', { gapMs: 30_000, pace: 1.5, most: 3 }],
  ['an hour and a quarter of an interval', { gapMs: 3_607_500, pace: 1.5, most: 3 }],
])('after a gap of %s', (_, { gapMs, pace, most }) => {
  it(`the longest overdue is checked at once, everything within an interval, and no second has more than ${most} times the usual load`, () => {
    const schedule = new CheckSchedule();
    const monitors = fill(schedule, 600);
    const usual = monitors.length / (INTERVAL_MS / SECOND_MS);
    const [longest] = monitors.toSorted((a, b) => a.dueAt - b.dueAt);
    const overdue = monitors.filter(({ dueAt }) => dueAt <= NOW + gapMs).length;

    const begun = NOW + gapMs;
    expect(schedule.spread(begun)).toBe(overdue);
    const checkedAt = new Map<string, number>();
    const perSecond: number[] = [];
    for (let now = begun; now <= begun + INTERVAL_MS; now += SECOND_MS) {
      const ids = checkDue(schedule, now);
      perSecond.push(ids.length);
      for (const id of ids) if (!checkedAt.has(id)) checkedAt.set(id, now);
    }
    expect(checkedAt.get(longest?.id ?? '')).toBe(begun);
    expect(checkedAt.size, 'all within an interval').toBe(monitors.length);
    expect(Math.max(...perSecond), `in each second: ${perSecond}`).toBeLessThanOrEqual(most * usual);
  });

  it(`overdue checks are made up for at ${pace} times the usual pace`, () => {
    const schedule = new CheckSchedule();
    const monitors = fill(schedule, 600);
    const usual = monitors.length / INTERVAL_MS;
    const begun = NOW + gapMs;
    const overdue = monitors.filter(({ dueAt }) => dueAt <= begun);
    schedule.spread(begun);
    const lastAt = Math.max(...overdue.map(({ dueAt }) => dueAt));
    expect(lastAt - begun).toBeLessThanOrEqual(overdue.length / (pace * usual));
  });

  it('one monitor alone is checked at once', () => {
    const schedule = new CheckSchedule();
    fill(schedule, 1);
    schedule.spread(NOW + INTERVAL_MS + gapMs);
    expect(checkDue(schedule, NOW + INTERVAL_MS + gapMs)).toEqual(['mon_0']);
  });
});

describe('with more due than can be run', () => {
  /** Monitors of organizations, by their numbers, each due at the next slot of its grid. */
  function fillOrganizations(schedule: CheckSchedule, counts: Record<string, number>): ScheduledMonitor[] {
    return Object.entries(counts).flatMap(([organizationId, count]) =>
      Array.from({ length: count }, (_, n) => {
        const monitor = createDue({ id: `mon_${organizationId}_${n}`, organizationId });
        monitor.dueAt = gridSlotAfter(NOW, INTERVAL_MS, monitor.phase);
        schedule.put(monitor);
        return monitor;
      }),
    );
  }

  /** Runs so many checks a second for ten intervals; returns how late each organization's were, in milliseconds. */
  function runOverloaded(schedule: CheckSchedule, perSecond: number): Map<string, number[]> {
    const late = new Map<string, number[]>();
    for (let now = NOW; now <= NOW + 10 * INTERVAL_MS; now += SECOND_MS / 10) {
      for (let n = 0; n < perSecond / 10; n++) {
        const next = schedule.take(now);
        if (next === null) break;
        const { organizationId } = next.monitor;
        late.set(organizationId, [...(late.get(organizationId) ?? []), now - next.dueAt]);
        schedule.giveBack(next.monitor, now);
      }
    }
    return late;
  }

  it('a flood of one organization delays no check of the others, and skips none of their slots', () => {
    const schedule = new CheckSchedule();
    fillOrganizations(schedule, { flood: 3000, quiet: 30, small: 1 });
    const late = runOverloaded(schedule, 50);
    for (const [organizationId, count] of Object.entries({ quiet: 30, small: 1 })) {
      const own = late.get(organizationId) ?? [];
      expect(own.length).toBeGreaterThanOrEqual(10 * count);
      expect(Math.max(...own)).toBeLessThanOrEqual(SECOND_MS);
    }
    expect(late.get('flood')?.length, 'what remains is for the flood').toBeGreaterThan(50 * 300 * 0.95);
  });

  it('skips are spread evenly over organizations that want more than their share', () => {
    const schedule = new CheckSchedule();
    fillOrganizations(schedule, { first: 3000, second: 3000, third: 6000 });
    const counts = [...runOverloaded(schedule, 60).values()].map(({ length }) => length);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(60);
  });

  it('an organization leaves slots to others, who then take turns, and uses all if it is alone', () => {
    const SLOTS = 90;
    const begin = (schedule: CheckSchedule, running: number) => {
      const taken: ScheduledMonitor[] = [];
      while (running + taken.length < SLOTS) {
        const next = schedule.take(NOW + INTERVAL_MS, SLOTS - running - taken.length);
        if (next === null) break;
        taken.push(next.monitor);
      }
      return taken;
    };
    const shared = new CheckSchedule();
    fillOrganizations(shared, { flood: 300 });
    shared.put(createDue({ id: 'mon_later', organizationId: 'quiet', dueAt: NOW + 10 * INTERVAL_MS }));
    const flood = begin(shared, 0);
    expect(flood).toHaveLength(80);
    expect(shared.isBehind()).toBe(true);
    fillOrganizations(shared, { quiet: 30 });
    expect(begin(shared, 80).map(({ organizationId }) => organizationId)).toEqual(Array(9).fill('quiet'));
    for (const monitor of flood) shared.giveBack(monitor, NOW + INTERVAL_MS);
    const next = begin(shared, 9).filter(({ organizationId }) => organizationId === 'quiet');
    expect(next, 'all others').toHaveLength(21);

    const alone = new CheckSchedule();
    fillOrganizations(alone, { only: 300, removed: 1 });
    alone.remove('mon_removed_0');
    expect(begin(alone, 0)).toHaveLength(SLOTS);
  });

  it('confirmations of an organization come before its routine checks, here and in other regions', () => {
    const schedule = new CheckSchedule();
    schedule.put(createDue({ id: 'mon_longest', dueAt: NOW - 3000 }));
    schedule.put(createDue({ id: 'mon_down', failure: 'timeout', isContested: false, dueAt: NOW - 2000 }));
    schedule.put(createDue({ id: 'mon_failed', failure: 'timeout', dueAt: NOW - 1000 }));
    schedule.put(createDue({ id: 'mon_asked', begunAt: NOW - 9000, scheduledAt: NOW - 500, dueAt: NOW }));
    const order = Array.from({ length: 4 }, () => schedule.take(NOW)?.monitor.id);
    expect(order).toEqual(['mon_failed', 'mon_asked', 'mon_longest', 'mon_down']);
  });

  it('confirmations that never end leave a fourth of the checks to the others, and the one pending for longest is known', () => {
    const schedule = new CheckSchedule();
    for (let n = 0; n < 100; n++)
      schedule.put(createDue({ id: `mon_failed_${n}`, failure: 'timeout', dueAt: NOW + n }));
    for (let n = 0; n < 20; n++) schedule.put(createDue({ id: `mon_fine_${n}`, dueAt: NOW - 1000 + n }));
    const taken = Array.from({ length: 40 }, () => schedule.take(NOW + SECOND_MS)?.monitor.id ?? '');
    expect(taken.filter((id) => id.startsWith('mon_fine'))).toHaveLength(10);
    expect(schedule.nextDueAt(), 'the eleventh').toBe(NOW - 1000 + 10);
  });

  it('an organization that is alone in one region leaves slots to those of other regions of the worker', () => {
    const shares = new OrganizationShares();
    const [first, second] = [new CheckSchedule(shares), new CheckSchedule(shares)];
    for (let n = 0; n < 20; n++) first.put(createDue({ id: `mon_${n}`, organizationId: 'flood' }));
    second.put(createDue({ id: 'mon_other', organizationId: 'quiet' }));
    let free = 9;
    const begun: ScheduledMonitor[] = [];
    for (let next = first.take(NOW, free); next !== null; next = first.take(NOW, free)) {
      begun.push(next.monitor);
      free -= 1;
    }
    expect([begun.length, free]).toEqual([8, 1]);
    expect(second.take(NOW, free)?.monitor.id).toBe('mon_other');
    second.remove('mon_other');
    expect(first.take(NOW, free), 'it is alone').not.toBeNull();
  });

  it('what is due goes back if the clock was set back, and what was moved meanwhile is due once', () => {
    const schedule = new CheckSchedule();
    const monitors = ['mon_a', 'mon_b', 'mon_c'].map((id) => createDue({ id }));
    for (const monitor of monitors) schedule.put(monitor);
    expect(schedule.take(NOW)?.monitor.id).toBe('mon_a');
    expect(schedule.take(NOW - SECOND_MS)).toBeNull();
    expect(schedule.nextDueAt()).toBe(NOW);
    schedule.spread(NOW);
    expect(checkDue(schedule, NOW + INTERVAL_MS)).toEqual(['mon_b', 'mon_c']);
  });

  it('after a gap, the overdue checks of a flood do not come before those of the others', () => {
    const schedule = new CheckSchedule();
    const monitors = fillOrganizations(schedule, { flood: 3000, quiet: 10 });
    const begun = NOW + 10 * INTERVAL_MS;
    expect(schedule.spread(begun)).toBe(3010);
    const quiet = monitors.filter(({ organizationId }) => organizationId === 'quiet');
    expect(Math.max(...quiet.map(({ dueAt }) => dueAt)) - begun).toBeLessThanOrEqual(SECOND_MS);
  });
});

it('after a clock was set back, everything is due within two intervals, without a burst', () => {
  const schedule = new CheckSchedule();
  const monitors = fill(schedule, 600);
  const back = NOW - 3_600_000;
  schedule.spread(back);
  const dueAt = monitors.map((monitor) => monitor.dueAt);
  expect(Math.min(...dueAt)).toBeGreaterThan(back);
  expect(Math.max(...dueAt)).toBeLessThanOrEqual(back + 2 * INTERVAL_MS);
  const perSecond = monitors.map((monitor) => Math.floor(monitor.dueAt / SECOND_MS));
  const most = Math.max(...perSecond.map((second) => perSecond.filter((one) => one === second).length));
  expect(most).toBeLessThanOrEqual(3 * (monitors.length / (INTERVAL_MS / SECOND_MS)));
});

it('a gap that nothing was due in changes nothing', () => {
  const schedule = new CheckSchedule();
  const monitor = createDue({ dueAt: NOW + 20_000 });
  schedule.put(monitor);
  expect(schedule.spread(NOW + 10_000)).toBe(0);
  expect(monitor.dueAt).toBe(NOW + 20_000);
});

it('whatever happens, no configuration is checked twice at a time, and no monitor is forgotten', () => {
  const ids = ['mon_a', 'mon_b', 'mon_c'];
  const step = fc.record({
    act: fc.constantFrom('pass', 'check', 'end', 'replace', 'change', 'remove', 'spread'),
    id: fc.constantFrom(...ids),
    ms: fc.constantFrom(1, 900, 14_000, INTERVAL_MS, 10 * INTERVAL_MS),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const schedule = new CheckSchedule();
      const versions = new Map(ids.map((id) => [id, 1]));
      const present = new Set<string>();
      let running: ScheduledMonitor[] = [];
      let now = NOW;
      const put = (id: string) => {
        present.add(id);
        const organizationId = id === 'mon_a' ? 'org_1' : 'org_2';
        schedule.put(createDue({ id, organizationId, dueAt: now, configVersion: versions.get(id) ?? 0 }));
      };
      const check = () => {
        const next = schedule.take(now);
        if (next === null) return;
        const { id, configVersion, isOutdated } = next.monitor;
        expect(running.filter((one) => one.id === id && one.configVersion === configVersion)).toEqual([]);
        expect(present.has(id) && !isOutdated && configVersion === versions.get(id)).toBe(true);
        running.push(next.monitor);
      };
      const end = (which: (monitor: ScheduledMonitor) => boolean) => {
        for (const monitor of running.filter(which)) schedule.giveBack(monitor, now);
        running = running.filter((monitor) => !which(monitor));
      };
      for (const { act, id, ms } of steps) {
        if (act === 'pass') now += ms;
        if (act === 'check') check();
        if (act === 'end') end((monitor) => monitor.id === id);
        if (act === 'change') versions.set(id, (versions.get(id) ?? 0) + 1);
        if (act === 'change' || act === 'replace') put(id);
        if (act === 'spread') schedule.spread(now);
        if (act !== 'remove') continue;
        present.delete(id);
        schedule.remove(id);
      }
      end(() => true);
      schedule.spread(now);
      expect(checkDue(schedule, now + 2 * INTERVAL_MS).toSorted()).toEqual([...present].toSorted());
    }),
    { numRuns: 500 },
  );
});
