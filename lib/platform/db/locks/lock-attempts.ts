import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '@/lib/core/errors';
import { formatTiming } from '@/lib/core/time/duration';
import { withClient } from '../connections/with-client';
import { isLockTimeout } from './lock-timeout';
import { formatHolders, type LockHolder, readHolders } from './lock-waits';

/** How long to wait for locks, in milliseconds: per attempt, between two, and in total. */
export type LockPatience = { attemptMs: number; pauseMs: number; totalMs: number };

export type LockWait = {
  /** The connection that waits, whose `lock_timeout` is `attemptMs`. */
  waiting: { url: string; pid: number };
  /** What the lock is for, as in "waiting to …". */
  purpose: string;
  patience: LockPatience;
  /** Called with a line of progress after each failed attempt. */
  report: (line: string) => void;
};

/**
 * Runs `work`, which waits for locks, in short attempts. Statements of others queue behind a waiting lock, so they run during
 * the pauses. `work` must be repeatable. Throws StartupError that names the holder after `totalMs`; rethrows other errors.
 */
export async function inShortAttempts<T>(
  work: () => Promise<T>,
  { waiting, purpose, patience: { attemptMs, pauseMs, totalMs }, report }: LockWait,
): Promise<T> {
  const giveUpAt = performance.now() + totalMs;
  for (;;) {
    let holders: Promise<LockHolder[]> | undefined;
    const timer = setTimeout(() => {
      holders = findHolders(waiting).catch(() => []);
    }, attemptMs / 2);
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      const found = (await holders) ?? [];
      const remainingMs = giveUpAt - performance.now();
      if (remainingMs <= 0) throw gaveUp(purpose, totalMs, found, error);
      report(
        `waiting to ${purpose}, for up to ${formatTiming(Math.ceil(remainingMs / 1000) * 1000)}: a lock is held by ${formatHolders(found)}`,
      );
    } finally {
      clearTimeout(timer);
    }
    await delay(pauseMs);
  }
}

/** Who holds the lock that a connection waits for, or waits for it ahead. */
async function findHolders({ url, pid }: LockWait['waiting']): Promise<LockHolder[]> {
  return withClient({ connectionString: url, application_name: 'pharos migrate' }, (client) =>
    readHolders(client, [pid]),
  );
}

function gaveUp(purpose: string, totalMs: number, holders: LockHolder[], cause: unknown): StartupError {
  const end = holders.map(({ pid }) => ` (in PostgreSQL: SELECT pg_terminate_backend(${pid}))`)[0] ?? '';
  return new StartupError(
    `could not ${purpose}: after ${formatTiming(totalMs)}, a lock is still held by ${formatHolders(holders)}. Nothing was changed. Wait until it ends, or end it${end}, then start again`,
    { cause },
  );
}
