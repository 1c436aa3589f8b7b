/** Lets loops sleep until there is work or a timeout. */
export type Wake = {
  /** Ends every current sleep. */
  ring(): void;
  rings(): number;
  /** Resolves after `ms` milliseconds, at `ring`, or on abort; immediately if it has rung since `seen`. */
  sleep(ms: number, options?: { signal?: AbortSignal; seen?: number }): Promise<void>;
};

/** A new wake. */
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
