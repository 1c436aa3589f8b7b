import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '@/lib/core/errors';
import { formatTiming } from '@/lib/core/time/duration';
import type { Waiting } from './copy-database';

const PATIENCE_MS = 3_600_000;
const POLL_MS = 250;

/**
 * Looks again and again, for up to an hour, until the service is stopped: `look` then resolves to its database. Adds when the service
 * was last seen running, as of `performance.now()`. Throws StartupError if it keeps running.
 */
export async function waitUntilStopped<T extends object>(
  look: () => Promise<T | null>,
  { signal, stayConnected }: Waiting,
  { patienceMs = PATIENCE_MS } = {},
): Promise<T & { stoppedAt: number }> {
  const begunAt = performance.now();
  let stoppedAt = begunAt;
  for (;;) {
    const lookedAt = performance.now();
    const found = await look();
    if (found !== null) return { ...found, stoppedAt };
    stoppedAt = lookedAt;
    if (performance.now() - begunAt >= patienceMs) {
      throw new StartupError(
        `the service was not stopped within ${formatTiming(patienceMs)}: nothing was moved. Run the command again`,
      );
    }
    await delay(POLL_MS, undefined, { signal });
    await stayConnected();
  }
}
