import type { Clock } from '@/lib/core/clock';
import type { Timers } from './timers';

const MINUTE_MS = 60_000;
/** After a pause longer than a day, older minutes are not looked at. */
const MOST_MINUTES_AT_ONCE = 24 * 60;

/**
 * Calls `onMinutes` as each minute of `clock` begins, with every minute begun since the last call: one as a
 * rule, more after the machine was suspended. The minute in which it was started is not one of them. Gives
 * back a function that stops it.
 */
export function startMinuteTicker(options: {
  clock: Clock;
  timers: Timers;
  onMinutes: (minutes: Date[]) => void;
}): () => void {
  const { clock, timers, onMinutes } = options;
  let last = startOfMinute(clock.now());
  let cancel = armNext();

  function armNext(): () => void {
    return timers.schedule(tick, Math.max(1, last + MINUTE_MS - clock.now().getTime()));
  }

  // A timer can fire early and a clock can be set, so each tick looks at the clock again.
  function tick(): void {
    const current = startOfMinute(clock.now());
    const begun = minutesBetween(last, current);
    const wasSetBack = current < last - MINUTE_MS;
    if (begun.length > 0 || wasSetBack) last = current;
    cancel = armNext();
    if (begun.length > 0) onMinutes(begun);
  }

  return () => cancel();
}

function startOfMinute(at: Date): number {
  return Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
}

function minutesBetween(last: number, current: number): Date[] {
  const count = Math.min((current - last) / MINUTE_MS, MOST_MINUTES_AT_ONCE);
  const minutes: Date[] = [];
  for (let back = count - 1; back >= 0; back--) minutes.push(new Date(current - back * MINUTE_MS));
  return minutes;
}
