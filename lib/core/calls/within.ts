import { setTimeout as sleep } from 'node:timers/promises';

/** The result of `work`, or null if it takes longer than `ms`. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const done = new AbortController();
  const late = sleep(ms, null, { signal: done.signal }).catch(() => null);
  return Promise.race([work, late]).finally(() => done.abort());
}
