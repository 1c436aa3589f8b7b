import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScheduled } from '@/lib/engine/testing/scheduled';
import { gridSlotAfter, nextSlot } from '@/lib/state/schedule-grid';
import { CheckSchedule } from './schedule';
import type { ScheduledMonitor } from './scheduled-monitor';

const STOPPED = Date.parse('2026-03-01T12:00:00.000Z');
const INTERVAL_MS = 30_000;
const MONITORS = 40;
const TICK_MS = 50;

/** Monitors as a worker reads them after a gap, in which none was checked: each was last checked in its slot before. */
function readAfter(gapMs: number): ScheduledMonitor[] {
  const now = STOPPED + gapMs;
  return Array.from({ length: MONITORS }, (_, number) => {
    const monitor = createScheduled({ id: `mon_${number}`, intervalMs: INTERVAL_MS });
    const lastAt = gridSlotAfter(STOPPED, INTERVAL_MS, monitor.phase) - INTERVAL_MS;
    return { ...monitor, dueAt: Math.max(nextSlot(lastAt, INTERVAL_MS, monitor.phase), now - INTERVAL_MS) };
  });
}

/** Runs what is due until then; returns when each monitor was checked. */
function run(schedule: CheckSchedule, from: number, until: number): Map<string, number[]> {
  const checks = new Map<string, number[]>();
  for (let now = from; now < until; now += TICK_MS) {
    for (let next = schedule.take(now); next !== null; next = schedule.take(now)) {
      const { monitor } = next;
      checks.set(monitor.id, [...(checks.get(monitor.id) ?? []), now]);
      schedule.giveBack(monitor, now);
    }
  }
  return checks;
}

describe('the only worker of a region, back after less than an interval', () => {
  it('checks every slot of the gap once, and every slot after it, at least half an interval apart', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: INTERVAL_MS - 1000 }), (gapMs) => {
        const begun = STOPPED + gapMs;
        const end = STOPPED + 4 * INTERVAL_MS;
        const schedule = new CheckSchedule();
        const monitors = readAfter(gapMs);
        for (const monitor of monitors) schedule.put(monitor);
        schedule.spread(begun);
        const checks = run(schedule, begun, end);
        for (const { id, phase } of monitors) {
          const own = checks.get(id) ?? [];
          for (let slot = gridSlotAfter(STOPPED, INTERVAL_MS, phase); slot + INTERVAL_MS < end; ) {
            const next = slot + INTERVAL_MS;
            expect(own.filter((at) => slot <= at && at < next).length, `${id} of ${gapMs} ms`).toBe(1);
            slot = next;
          }
          for (const [place, at] of own.slice(1).entries())
            expect(at - (own[place] ?? 0)).toBeGreaterThanOrEqual(INTERVAL_MS / 2 - TICK_MS);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('does so although a monitor is read again after its late check', () => {
    const schedule = new CheckSchedule();
    const due = () => createScheduled({ intervalMs: INTERVAL_MS, dueAt: slot });
    const { phase } = createScheduled({});
    const slot = gridSlotAfter(STOPPED, INTERVAL_MS, phase);
    const late = slot + 0.8 * INTERVAL_MS;
    schedule.put(due());
    schedule.spread(late);
    run(schedule, late, late + 1);
    // As the database tells it, which does not know for which slot the check was.
    schedule.put({ ...due(), dueAt: nextSlot(late, INTERVAL_MS, phase) });
    expect(schedule.nextDueAt()).toBe(slot + 1.3 * INTERVAL_MS);
  });
});
