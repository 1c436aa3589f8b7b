import type { Timers } from './timers';

/** Waiting that can be ended for all at once. */
export type Sleeper = {
  /** Resolves true when the time is over, false when everyone was woken before that. */
  sleep(ms: number): Promise<boolean>;
  /** Ends all sleep, now and from now on. */
  wakeAll(): void;
};

export function createSleeper(timers: Timers): Sleeper {
  const wakers = new Set<() => void>();
  let isOver = false;

  return {
    async sleep(ms) {
      if (isOver) return false;
      if (ms <= 0) return true;
      return new Promise((resolve) => {
        const cancel = timers.schedule(() => {
          wakers.delete(wake);
          resolve(true);
        }, ms);
        const wake = (): void => {
          cancel();
          resolve(false);
        };
        wakers.add(wake);
      });
    },
    wakeAll() {
      isOver = true;
      for (const wake of wakers) wake();
      wakers.clear();
    },
  };
}
