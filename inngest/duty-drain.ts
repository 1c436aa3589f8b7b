/** A drain of the engine that knows whether it is under way in this process. */
export type DutyDrain<Args extends unknown[] = never[]> = {
  /** The app and the function that runs it. */
  id: string;
  run(...args: Args): Promise<void>;
  /** Since when work is due that nobody in this process is draining; null: none is, or what waits has no place. */
  neglectedSince(): Promise<Date | null>;
};

/** Watches over `drain`; `dueAt` says when the first of its work is due that nobody has taken. */
export function createDutyDrain<Args extends unknown[]>(
  id: string,
  drain: (...args: Args) => Promise<void>,
  dueAt: () => Promise<Date | null>,
): DutyDrain<Args> {
  let running = 0;
  return {
    id,
    run: async (...args) => {
      running += 1;
      try {
        await drain(...args);
      } finally {
        running -= 1;
      }
    },
    neglectedSince: async () => (running > 0 ? null : dueAt()),
  };
}
