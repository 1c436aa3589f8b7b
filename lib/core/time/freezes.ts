import { type Clock, systemClock } from './clock';

/** A process that runs looks more often. */
const TICK_MS = 1000;
/** Longer than garbage collection and a busy machine hold up a timer. */
const FROZEN_MS = 10_000;

/**
 * Notices when this process did not run for ten seconds: it was stopped, or its machine slept. What it then finds old may only be old because nobody
 * looked. `wall` advances meanwhile.
 */
export function watchFreezes(clock: Clock, wall: Clock = systemClock) {
  let seenAt = wall.now().getTime();
  let thawedAt: Date | null = null;
  const look = () => {
    const now = wall.now().getTime();
    if (now - seenAt > FROZEN_MS) thawedAt = clock.now();
    seenAt = now;
  };
  const timer = setInterval(look, TICK_MS);
  timer.unref();
  return {
    /** When the last freeze ended, by `clock`, even if this is the first work after it; null: there was none. */
    thawedAt: (): Date | null => {
      look();
      return thawedAt;
    },
    stop: () => clearInterval(timer),
  };
}
