/** Lets loops sleep until there is work, or until their time is up. */
export type Wake = {
  /** Ends every sleep that is going on. */
  ring(): void;
  /** Resolves after `ms` milliseconds, at `ring`, or when `signal` aborts, whatever comes first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/** A wake that nobody has rung yet. */
export function createWake(): Wake {
  const sleepers = new Set<() => void>();
  return {
    ring: () => {
      for (const wakeUp of [...sleepers]) wakeUp();
    },
    sleep: (ms, signal) =>
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
        if (signal?.aborted) wakeUp();
      }),
  };
}
