/** Lets loops sleep until there is work, or until their time is up. */
export type Wake = {
  /** Ends every sleep that is going on. */
  ring(): void;
  /** How often it has rung. */
  rings(): number;
  /**
   * Resolves after `ms` milliseconds, at `ring`, or when `signal` aborts, whatever comes first; at once where it has rung
   * since `seen`: who looks for work before it sleeps misses nothing that came up meanwhile.
   */
  sleep(ms: number, options?: { signal?: AbortSignal; seen?: number }): Promise<void>;
};

/** A wake that nobody has rung yet. */
export function createWake(): Wake {
  const sleepers = new Set<() => void>();
  let rings = 0;
  return {
    rings: () => rings,
    ring: () => {
      rings += 1;
      for (const wakeUp of [...sleepers]) wakeUp();
    },
    sleep: (ms, { signal, seen = rings } = {}) =>
      new Promise((resolve) => {
        const wakeUp = () => {
          clearTimeout(timer);
          sleepers.delete(wakeUp);
          signal?.removeEventListener('abort', wakeUp);
          resolve();
        };
        const timer = setTimeout(wakeUp, Math.max(0, ms));
        sleepers.add(wakeUp);
        signal?.addEventListener('abort', wakeUp);
        if (signal?.aborted || seen !== rings) wakeUp();
      }),
  };
}
