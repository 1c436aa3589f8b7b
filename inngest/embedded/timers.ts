/** How the driver waits. Handed in, so that tests turn time by hand. */
export type Timers = {
  /**
   * Calls `run` once after `delayMs` and gives back a function that calls it off. Such a timer does not keep
   * the process alive unless `keepAlive` is set.
   */
  schedule(run: () => void, delayMs: number, options?: { keepAlive?: boolean }): () => void;
};

/** `setTimeout` fires at once when asked for more than this (24.8 days). */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The timers of this machine; a delay may be longer than `setTimeout` can take. */
export const systemTimers: Timers = {
  schedule(run, delayMs, { keepAlive = false } = {}) {
    let timer: NodeJS.Timeout;
    const arm = (remainingMs: number): void => {
      const stepMs = Math.min(Math.max(remainingMs, 0), LONGEST_TIMEOUT_MS);
      timer = setTimeout(() => (remainingMs > stepMs ? arm(remainingMs - stepMs) : run()), stepMs);
      if (!keepAlive) timer.unref();
    };
    arm(delayMs);
    return () => clearTimeout(timer);
  },
};
