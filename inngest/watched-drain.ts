import type { Clock } from '@/lib/core/time/clock';

/** A drain of the engine that knows whether it is running in this process. */
export type WatchedDrain<Work extends unknown[] = never[]> = {
  /** The app and function that run it. */
  id: string;
  run(until: Date, ...work: Work): Promise<void>;
  /** Drains all of its work, not only the part a function was woken for. */
  runWhole(until: Date): Promise<void>;
  /** Since when work has been due that no drain here handles; null: none, or no slot is free. */
  neglectedSince(): Promise<Date | null>;
};

/** Whether a drain was started again, on any worker, at or after a moment. */
export type HasSuccessor = (id: string, since: Date) => Promise<boolean>;

/** All shards of a drain start within this time of each other. */
const BEGIN_MS = 15_000;
/** How long a drain without a successor continues: by then the worker wakes itself. */
const MAX_OVERTIME_MS = 90_000;
const LOOK_MS = 2000;

/**
 * Wraps `drain`; `dueAt` returns when the first unclaimed work is due, `whole` are the arguments that cover
 * all work. A drain of parts is also watched while it runs, since another part may be neglected.
 */
export function createWatchedDrain<Work extends unknown[]>(
  id: string,
  drain: (until: Date, ...work: Work) => Promise<void>,
  dueAt: () => Promise<Date | null>,
  ...whole: Work
): WatchedDrain<Work> {
  const hasParts = whole.length > 0;
  let running = 0;
  const run = async (until: Date, ...work: Work): Promise<void> => {
    running += 1;
    try {
      await drain(until, ...work);
    } finally {
      running -= 1;
    }
  };
  return {
    id,
    run,
    runWhole: (until) => run(until, ...whole),
    neglectedSince: async () => (running > 0 && !hasParts ? null : dueAt()),
  };
}

/**
 * Runs a drain and, if no successor started by its end, continues: nothing is late because a server just
 * crashed or an event was lost. Ends with a successor, with the worker, and after a while in any case.
 */
export function runUntilSucceeded<Work extends unknown[]>(
  drain: WatchedDrain<Work>,
  { clock, hasSuccessor }: { clock: Clock; hasSuccessor: HasSuccessor | undefined },
): WatchedDrain<Work>['run'] {
  if (hasSuccessor === undefined) return drain.run;
  return async (until, ...work) => {
    const since = new Date(clock.now().getTime() + BEGIN_MS);
    const last = new Date(until.getTime() + MAX_OVERTIME_MS);
    let end = until;
    await drain.run(end, ...work);
    // If it returned early, it was stopped.
    while (clock.now() >= end && end < last && !(await hasSuccessor(drain.id, since))) {
      end = new Date(Math.min(clock.now().getTime() + LOOK_MS, last.getTime()));
      await drain.run(end, ...work);
    }
  };
}
