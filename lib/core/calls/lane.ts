import { DomainError } from '@/lib/core/errors';

/**
 * Runs at most `running` calls at once. At most `waiting` others wait for their turn, in order; more are rejected with UNAVAILABLE, before
 * they cost anything.
 */
export function createLane({ running, waiting }: { running: number; waiting: number }) {
  const queue: (() => void)[] = [];
  let free = running;
  const enter = async (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return;
    }
    if (queue.length >= waiting) {
      throw new DomainError(
        'UNAVAILABLE',
        'Too many requests of this kind are running. Retry in a few seconds.',
      );
    }
    await new Promise<void>((resolve) => queue.push(resolve));
  };
  /** The next call takes over, so that none gets ahead of it. */
  const leave = () => {
    const next = queue.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    /** Settles like `work`. */
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
