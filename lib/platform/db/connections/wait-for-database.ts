import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { formatTiming } from '@/lib/core/time/duration';
import { reportLockWaits } from '../locks/lock-waits';
import { whyUnavailable } from '../unavailable';

/** How long a start waits for its database, which may be starting too, or recovering from a crash. */
const PATIENCE_MS = 60_000;
const RETRY_MS = 250;
const NOTICE_MS = 10_000;

export type DatabaseWait = {
  /** Shown in messages, never with its password. */
  url: string;
  log: Pick<Logger, 'warn'>;
  patienceMs?: number;
};

/**
 * Runs the part of a start that needs the database, once the database responds. Retries for a minute while it
 * cannot be reached, and logs what it is waiting for, locks included; so `work` must be repeatable. Throws StartupError after
 * that, and rethrows other errors immediately.
 */
export async function waitForDatabase<T>(
  work: () => Promise<T>,
  { url, log, patienceMs = PATIENCE_MS }: DatabaseWait,
): Promise<T> {
  const stopNotices = reportLockWaits(url, (line) => log.warn(line));
  try {
    return await untilReachable(work, { url, log, patienceMs });
  } finally {
    await stopNotices();
  }
}

async function untilReachable<T>(
  work: () => Promise<T>,
  { url, log, patienceMs }: Required<DatabaseWait>,
): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  let noticeAt = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const reason = whyUnavailable(error);
      if (reason === null) throw error;
      const now = performance.now();
      if (now >= giveUpAt) throw unreachable(url, `${reason}, for ${formatTiming(patienceMs)}`, error);
      if (now >= noticeAt) {
        const seconds = Math.ceil((giveUpAt - now) / 1000);
        log.warn(
          `waiting for the database ${formatDatabase(url)} for up to ${formatTiming(seconds * 1000)}: ${reason}`,
        );
        noticeAt = now + NOTICE_MS;
      }
      await delay(RETRY_MS);
    }
  }
}

/** The error for an unreachable database, with what to do; names host and database, never the password. */
export function unreachable(url: string, reason: string, cause: unknown): StartupError {
  return new StartupError(
    `DATABASE_URL: cannot connect to the database ${formatDatabase(url)}: ${reason}. Check that PostgreSQL is running there and that user and password are correct`,
    { cause },
  );
}

function formatDatabase(url: string): string {
  const { host, pathname } = new URL(url);
  return `"${pathname.slice(1)}" at ${host}`;
}
