import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createLoadMeter } from './load-meter';

const SECOND = 1000;

function begin() {
  const clock = createManualClock(new Date('2026-03-01T12:00:00.000Z'));
  const meter = createLoadMeter(clock);
  return {
    ...meter,
    clock,
    /** Ends this many checks, each begun so late. */
    check: (count: number, lateMs: number) => {
      const startedAt = clock.now();
      const dueAt = new Date(startedAt.getTime() - lateMs);
      for (let each = 0; each < count; each++) meter.note({ check: { dueAt }, startedAt });
    },
  };
}

describe('a load meter', () => {
  it('begins with nothing', () => {
    expect(begin().read()).toEqual({ checksPerSecond: 0, latenessMs: null });
  });

  it('measures checks per second and lateness since it began, within its first minute', () => {
    const { clock, check, read } = begin();
    check(99, 20);
    check(1, 5000);
    clock.advance(20 * SECOND);
    expect(read()).toEqual({ checksPerSecond: 5, latenessMs: 20 });
    check(1, 5000);
    expect(read().latenessMs).toBeGreaterThan(4900);
  });

  it('drops what is older than a minute', () => {
    const { clock, check, read } = begin();
    check(6000, 900);
    for (let part = 0; part < 6; part++) {
      clock.advance(10 * SECOND);
      check(10, 30);
    }
    expect(read()).toEqual({ checksPerSecond: 1.2, latenessMs: 30 });
  });

  it('counts a check that began before it was due, or hours after, with the nearest that it can tell', () => {
    const { check, read } = begin();
    check(1, -50);
    expect(read().latenessMs).toBe(1);
    check(1, 9e9);
    expect(read().latenessMs).toBeGreaterThan(3_500_000);
  });
});
