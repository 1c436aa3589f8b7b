import type { Inngest, InngestFunction } from 'inngest';
import type { Clock } from '@/lib/core/time/clock';
import { drainDue } from './events';
import { createWatchedDrain, type HasSuccessor, runUntilSucceeded, type WatchedDrain } from './watched-drain';

/** A function that the sweep of its app wakes, and whose work the worker does itself if it is not woken. */
export type DrainFunction = {
  drain: WatchedDrain;
  /** The events that wake it, one per share of the work; IDs from the sweep's make a repeated step harmless. */
  wakes(sweep: { id: string; until: string }): { name: string }[];
  /** With `hasSuccessor`, a drain continues until another one takes over. */
  build(client: Inngest, hasSuccessor?: HasSuccessor): InngestFunction.Any;
};

/**
 * A function that runs `drain` until the moment in its event. The schedule is in PostgreSQL, so failed runs are not
 * retried. `dueAt` returns when the first unclaimed work is due.
 */
export function createDrainFunction({
  app,
  id,
  event,
  drain: run,
  dueAt,
  clock,
}: {
  app: string;
  id: string;
  event: string;
  drain: (until: Date) => Promise<void>;
  dueAt: () => Promise<Date | null>;
  clock: Clock;
}): DrainFunction {
  const due = drainDue(event);
  const drain = createWatchedDrain(`${app}/${id}`, run, dueAt);
  return {
    drain,
    wakes: (sweep) => [due.create({ until: sweep.until }, { id: `${sweep.id} ${id}` })],
    build: (client, hasSuccessor) => {
      const runUntil = runUntilSucceeded(drain, { clock, hasSuccessor });
      return client.createFunction({ id, retries: 0, triggers: [due] }, ({ event }) =>
        runUntil(new Date(event.data.until)),
      );
    },
  };
}
