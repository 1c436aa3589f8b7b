import { setTimeout as delay } from 'node:timers/promises';

/**
 * Repeats `work`, each time `everyMs` after it ended, first after `firstMs`. An error is passed to `onError`
 * and does not end the polling. `stop` aborts the signal and resolves when running work has ended.
 */
export function poll(
  work: (signal: AbortSignal) => Promise<void>,
  {
    everyMs,
    firstMs = everyMs,
    onError,
  }: { everyMs: number; firstMs?: number; onError: (error: unknown) => void },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number) => delay(ms, undefined, { signal, ref: false }).catch(() => 'stopped');
  const run = async () => {
    await pause(firstMs);
    while (!signal.aborted) {
      await work(signal).catch(onError);
      await pause(everyMs);
    }
  };
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
