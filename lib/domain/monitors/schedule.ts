import { createHash } from 'node:crypto';

/** How many places a region's schedule has; shards are ranges of them. */
export const SLOTS = 256;
const PHASES = 10_000;

/** Where a monitor stands in a region's schedule: fixed by its id, evenly spread over shards and over the interval. */
export function schedulePlace(monitorId: string, region: string): { slot: number; phase: number } {
  const digest = createHash('sha256').update(`${monitorId}/${region}`).digest();
  return { slot: digest.readUInt32BE(0) % SLOTS, phase: digest.readUInt32BE(4) % PHASES };
}

/**
 * The monitor's next place on its grid after `now`: multiples of the interval, shifted by its phase. At least half an
 * interval away, so that a check out of turn (the first, a late one) is not followed by another at once.
 */
export function nextSlot(now: Date, intervalSeconds: number, phase: number): Date {
  const interval = intervalSeconds * 1000;
  const offset = Math.floor((phase * interval) / PHASES);
  const next = Math.floor((now.getTime() - offset) / interval) * interval + offset + interval;
  return new Date(next - now.getTime() < interval / 2 ? next + interval : next);
}
