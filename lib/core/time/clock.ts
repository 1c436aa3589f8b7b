/** The source of time, injected everywhere: tests control it, and workers share the database clock. */
export type Clock = {
  now(): Date;
};

/** The clock of this machine. */
export const systemClock: Clock = { now: () => new Date() };

/** A clock that only moves with `advance` (milliseconds) or `set`. */
export function createManualClock(start: Date): Clock & { advance(ms: number): void; set(to: Date): void } {
  let current = start.getTime();
  return {
    now: () => new Date(current),
    advance: (ms) => {
      current += ms;
    },
    set: (to) => {
      current = to.getTime();
    },
  };
}

/** The earliest of these moments; null if there is none. */
export function earliest(moments: readonly (Date | null)[]): Date | null {
  const known = moments.filter((moment) => moment !== null);
  return known.sort((a, b) => a.getTime() - b.getTime())[0] ?? null;
}
