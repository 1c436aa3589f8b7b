/** Where the time comes from. Handed in everywhere, so that tests turn it and workers share Postgres' clock. */
export type Clock = {
  /** The current moment. */
  now(): Date;
};

/** The clock of this machine. */
export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still until `advance` (milliseconds) or `set` turns it. */
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
