import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@/lib/core/clock';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Wake } from '@/lib/core/wake';

/** The longest sleep without looking: how late work can be when a notification is lost. */
const MAX_SLEEP_MS = 1000;
/** The pause after the first failure in a row, and after each further one: short enough to notice soon that it is over. */
const PAUSE_MS = 1000;
const MAX_PAUSE_MS = 2000;

/** One kind of work that falls due. */
export type Drain = {
  /** What is drained, for the log. */
  name: string;
  clock: Clock;
  wake: Wake;
  log: Logger;
  /** The shortest sleep, in milliseconds: what falls due meanwhile is claimed together. */
  minSleepMs: number;
  /** Claims what is due and begins it; answers whether there may be more at once. */
  startDue(): Promise<boolean>;
  /** When the next is due; null when nothing waits, or there is no place for it. */
  nextDueAt(): Promise<Date | null>;
};

/**
 * Begins due work as it falls due, until `until` or the signal. What is begun goes on after that by itself. Never throws: an
 * error, such as of a database that is unavailable, is logged, and the drain continues after a pause of 1–2 s.
 */
export async function drainUntil(
  { name, clock, wake, log, minSleepMs, startDue, nextDueAt }: Drain,
  { until, signal }: { until: Date; signal: AbortSignal },
): Promise<void> {
  let failures = 0;
  while (!signal.aborted && clock.now() < until) {
    const seen = wake.rings();
    try {
      const hasMore = await startDue();
      failures = 0;
      if (hasMore) continue;
      const due = (await nextDueAt())?.getTime() ?? Number.POSITIVE_INFINITY;
      const now = clock.now().getTime();
      const wait = Math.min(MAX_SLEEP_MS, until.getTime() - now, due - now);
      await wake.sleep(Math.max(minSleepMs, wait), { signal, seen });
    } catch (error) {
      failures += 1;
      const pauseMs = Math.min(failures * PAUSE_MS, MAX_PAUSE_MS);
      log.error({ drain: name, error: describeError(error), failures, pauseMs }, 'a drain failed; retrying');
      // Not ended by the bell, which may ring for whatever goes wrong here.
      await delay(pauseMs, undefined, { signal }).catch(() => 'the drain is to end');
    }
  }
}

/**
 * Does work that goes with a drain, and whose failure must not hold up what is due: an error is logged, and the drain
 * goes on.
 */
export async function attemptBeside(
  { log }: { log: Logger },
  name: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ work: name, error: describeError(error) }, 'work that goes with a drain failed; retrying');
  }
}
