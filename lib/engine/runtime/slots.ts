/**
 * How many pieces of work of one kind a process does at once. Each takes a place of its own, so that one that hangs until
 * its timeout holds up no other.
 */
export type Slots = {
  /** Places that are free now. */
  free(): number;
  /** Takes a place until `work` is done; `work` must not throw. */
  run(work: () => Promise<void>): void;
  /** Resolves when all places are free. */
  idle(): Promise<void>;
};

/** `size` places; `onFree` is told whenever one ends while all were taken. */
export function createSlots(size: number, onFree: () => void): Slots {
  const running = new Set<Promise<void>>();
  return {
    free: () => size - running.size,
    run: (work) => {
      const done = work().finally(() => {
        const wasFull = running.size >= size;
        running.delete(done);
        if (wasFull) onFree();
      });
      running.add(done);
    },
    idle: async () => {
      while (running.size > 0) await Promise.allSettled([...running]);
    },
  };
}
