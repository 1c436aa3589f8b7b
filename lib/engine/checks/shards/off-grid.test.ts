import { describe, expect, it } from 'vitest';
import { createScheduled } from '@/lib/engine/testing/scheduled';
import { gridSlotAfter } from '@/lib/state/schedule-grid';
import { CheckSchedule } from './schedule';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const INTERVAL_MS = 30_000;
const SECOND_MS = 1000;

const createDue = (fields: Parameters<typeof createScheduled>[0] = {}) =>
  createScheduled({ intervalMs: INTERVAL_MS, dueAt: NOW, confirmMs: 10 * SECOND_MS, ...fields });

describe('a check off the grid', () => {
  it('that was scheduled while another ran is not skipped: it begins when that ends', () => {
    const schedule = new CheckSchedule();
    const monitor = createDue();
    schedule.put(monitor);
    schedule.take(NOW);
    const scheduledAt = NOW + 5 * SECOND_MS;
    schedule.put(createDue({ dueAt: scheduledAt, scheduledAt }));
    expect(schedule.take(NOW + 10 * SECOND_MS), 'the first still runs').toBeNull();
    schedule.giveBack(monitor, NOW + 10 * SECOND_MS);
    expect(schedule.take(NOW + 10 * SECOND_MS)).toMatchObject({ dueAt: NOW + 10 * SECOND_MS });
    expect(schedule.take(NOW + 10 * SECOND_MS)).toBeNull();
  });

  it('does not move the grid: only a slot that is too near is skipped', () => {
    const schedule = new CheckSchedule();
    const monitor = createDue();
    const slot = gridSlotAfter(NOW, INTERVAL_MS, monitor.phase);
    for (const [before, expected] of [
      [6 * SECOND_MS, slot],
      [4 * SECOND_MS, slot + INTERVAL_MS],
    ] as const) {
      schedule.put(createDue({ dueAt: slot - before, scheduledAt: slot - before }));
      const taken = schedule.take(slot - before)?.monitor;
      if (taken) schedule.giveBack(taken, slot - before);
      expect(schedule.nextDueAt()).toBe(expected);
    }
  });
});
