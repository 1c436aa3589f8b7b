import type { Clock } from '@/lib/core/time/clock';

/** A drain of the engine, and whether its work is done in this process. */
export type WatchedDrain = {
  /** The app and function that run it. */
  id: string;
  run(until: Date): Promise<void>;
  /** Since when work has been due that nobody does; null: none, or this process is about to. */
  neglectedSince(): Promise<Date | null>;
};

/** Whether a drain was started again, on any worker, at or after a moment. */
export type HasSuccessor = (id: string, since: Date) => Promise<boolean>;

/** All runs of a drain that belong to one sweep start within this time of each other. */
const BEGIN_MS = 15_000;
/** How long a drain without a successor continues: by then the worker wakes itself. */
const MAX_OVERTIME_MS = 90_000;
const LOOK_MS = 2000;

/** Wraps `drain`; `dueAt` returns when the first unclaimed work is due. */
export function createWatchedDrain(
  id: string,
  drain: (until: Date) => Promise<void>,
  dueAt: () => Promise<Date | null>,
): WatchedDrain {
  let running = 0;
  return {
    id,
    run: async (until) => {
      running += 1;
      try {
        await drain(until);
      } finally {
        running -= 1;
      }
    },
    neglectedSince: async () => (running > 0 ? null : dueAt()),
  };
}

/**
 * Runs a drain and, if no successor started by its end, continues: nothing is late because a server just
 * crashed or an event was lost. Ends with a successor, with the worker, and after a while in any case.
 */
export function runUntilSucceeded(
  drain: WatchedDrain,
  { clock, hasSuccessor }: { clock: Clock; hasSuccessor: HasSuccessor | undefined },
): WatchedDrain['run'] {
  if (hasSuccessor === undefined) return drain.run;
  return async (until) => {
    const since = new Date(clock.now().getTime() + BEGIN_MS);
    const last = new Date(until.getTime() + MAX_OVERTIME_MS);
    let end = until;
    await drain.run(end);
    // If it returned early, it was stopped.
    while (clock.now() >= end && end < last && !(await hasSuccessor(drain.id, since))) {
      end = new Date(Math.min(clock.now().getTime() + LOOK_MS, last.getTime()));
      await drain.run(end);
    }
  };
}
