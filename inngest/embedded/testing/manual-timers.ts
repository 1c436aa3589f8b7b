import { createManualClock } from '@/lib/core/time/clock';
import type { SetTimer } from '../driver';

type Pending = { dueAt: number; run: () => void };

/** A clock and timers that only move with `advance`. Setting the clock does not affect the timers. */
export function createManualTime(start: Date) {
  const clock = createManualClock(start);
  const pending = new Set<Pending>();
  let elapsed = 0;

  const setTimer: SetTimer = (run, ms) => {
    const entry = { dueAt: elapsed + ms, run };
    pending.add(entry);
    return () => pending.delete(entry);
  };

  function nextDue(until: number): Pending | undefined {
    return [...pending].filter(({ dueAt }) => dueAt <= until).sort((a, b) => a.dueAt - b.dueAt)[0];
  }

  function turnTo(moment: number): void {
    clock.advance(moment - elapsed);
    elapsed = moment;
  }

  return {
    clock,
    setTimer,
    /** Milliseconds until each pending timer, nearest first. */
    waits: () => [...pending].map(({ dueAt }) => dueAt - elapsed).sort((a, b) => a - b),
    /** Advances by `ms`, firing each timer at its own time. */
    advance(ms: number) {
      const until = elapsed + ms;
      for (let due = nextDue(until); due; due = nextDue(until)) {
        pending.delete(due);
        turnTo(Math.max(due.dueAt, elapsed));
        due.run();
      }
      turnTo(until);
    },
  };
}
