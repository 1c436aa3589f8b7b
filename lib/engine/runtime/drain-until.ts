import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Clock } from '@/lib/core/time/clock';
import { untilNext } from '@/lib/core/time/together';
import type { Wake } from '@/lib/core/time/wake';

/** The longest sleep between polls: how late work can be if a notification is lost. */
const MAX_SLEEP_MS = 1000;
/** The pause after the first failure, and its increase per further one: short, to notice a recovery soon. */
const PAUSE_MS = 1000;
const MAX_PAUSE_MS = 2000;
/** The last moment of a Date. */
const END_OF_TIME = new Date(8.64e15);

/** What a drain runs on. */
type DrainEngine = { services: { clock: Clock }; wake: Wake; log: Logger };

/** One kind of work that falls due. */
export type Drain = {
  /** Name for the log. */
  name: string;
  /** The shortest sleep, in milliseconds: work that falls due meanwhile is claimed together. */
  minSleepMs: number;
  /** How long, in milliseconds, polls that find nothing due may do without `startDue`. */
  maxQuietMs: number;
  /** Claims due work and starts it; returns whether there may be more right now. */
  startDue(): Promise<boolean>;
  /** When the next work is due; null if none is pending or there is no free slot. Asked at every poll. */
  nextDueAt(): Promise<Date | null>;
};

/**
 * Starts work as it falls due, until the signal, or `until` if it is given. Started work continues afterwards. Never throws:
 * an error, such as an unavailable database, is logged, and the drain continues after a pause of 1–2 s.
 */
export async function drainUntil(
  { services: { clock }, wake, log }: DrainEngine,
  { name, minSleepMs, maxQuietMs, startDue, nextDueAt }: Drain,
  { until = END_OF_TIME, signal }: { until?: Date; signal: AbortSignal },
): Promise<void> {
  let failures = 0;
  let dueAt = Number.NEGATIVE_INFINITY;
  let startedAt = Number.NEGATIVE_INFINITY;
  let heard = wake.rings();
  while (!signal.aborted && clock.now() < until) {
    const seen = wake.rings();
    const begun = clock.now().getTime();
    // A clock that was set back must not prolong the quiet.
    // A poll may come a little earlier after the last one than that one came after its own.
    const quietMs = Math.abs(begun - startedAt) + MAX_SLEEP_MS / 2;
    const isQuiet = seen === heard && begun < dueAt && quietMs < maxQuietMs;
    try {
      if (!isQuiet) {
        dueAt = Number.NEGATIVE_INFINITY;
        startedAt = begun;
        if (await startDue()) continue;
        heard = seen;
      }
      dueAt = (await nextDueAt())?.getTime() ?? Number.POSITIVE_INFINITY;
      failures = 0;
      const now = clock.now().getTime();
      // All drains poll at the same moments, so that what they read is one statement.
      const wait = Math.min(untilNext(MAX_SLEEP_MS), until.getTime() - now, dueAt - now);
      await wake.sleep(Math.max(minSleepMs, wait), { signal, seen });
    } catch (error) {
      dueAt = Number.NEGATIVE_INFINITY;
      failures += 1;
      const pauseMs = Math.min(failures * PAUSE_MS, MAX_PAUSE_MS);
      log.error({ drain: name, error: describeError(error), failures, pauseMs }, 'a drain failed; retrying');
      // Not ended by the wake bell, which may ring repeatedly during a failure.
      await delay(pauseMs, undefined, { signal }).catch(() => 'the drain is ending');
    }
  }
}

/** Runs side work of a drain: an error is logged and does not block due work. */
export async function runSideWork({ log }: { log: Logger }, name: string, work: () => Promise<unknown>) {
  try {
    await work();
  } catch (error) {
    log.error({ work: name, error: describeError(error) }, 'side work of a drain failed; retrying');
  }
}
