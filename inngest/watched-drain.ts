import type { Clock } from '@/lib/core/clock';

/** A drain of the engine that knows whether it is under way in this process. */
export type WatchedDrain<Work extends unknown[] = never[]> = {
  /** The app and the function that runs it. */
  id: string;
  run(until: Date, ...work: Work): Promise<void>;
  /** Drains all that there is for it, not only what a function was woken for. */
  runWhole(until: Date): Promise<void>;
  /** Since when work is due that nobody in this process is draining; null: none is, or what waits has no place. */
  neglectedSince(): Promise<Date | null>;
};

/** Whether a drain was begun anew, on whichever worker, at or after a moment. */
export type HasSuccessor = (id: string, since: Date) => Promise<boolean>;

/** Shards of one drain, which is one to a relief, are begun within so much of each other. */
const BEGIN_MS = 15_000;
/** How long a drain goes on that nobody relieves: until the worker calls its Inngest silent and wakes itself. */
const HOLD_MS = 90_000;
/** How often it looks for relief then. */
const LOOK_MS = 2000;

/**
 * Watches over `drain`; `dueAt` says when the first of its work is due that nobody has taken. `whole` is what makes the drain
 * take all of it. A drain of parts is watched while it runs, too, for another part may have been left alone.
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
 * Runs a drain and, where it has to be relieved, goes on if the next one was not begun by the end of it: for a server that
 * died a moment ago, or an event that was lost, nothing comes late. Ends with the relief, with the worker, and after a while
 * in any case.
 */
export function runUntilSucceeded<Work extends unknown[]>(
  drain: WatchedDrain<Work>,
  { clock, relief }: { clock: Clock; relief: HasSuccessor | undefined },
): WatchedDrain<Work>['run'] {
  if (relief === undefined) return drain.run;
  return async (until, ...work) => {
    const since = new Date(clock.now().getTime() + BEGIN_MS);
    const last = new Date(until.getTime() + HOLD_MS);
    let end = until;
    await drain.run(end, ...work);
    // Back before its time, it was stopped.
    while (clock.now() >= end && end < last && !(await relief(drain.id, since))) {
      end = new Date(Math.min(clock.now().getTime() + LOOK_MS, last.getTime()));
      await drain.run(end, ...work);
    }
  };
}
