/** Numbers of monitors and minutes; `interval` in seconds. */
export type Setting = { monitors: number; minutes: number; cycle: number; interval: number };

export const MINUTE_MS = 60_000;
export const SAMPLE_MS = 10_000;
/** The part of a cycle in which all targets fail. */
export const OUTAGE_SHARE = 0.4;
