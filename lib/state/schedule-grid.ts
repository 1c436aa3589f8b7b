import { createHash } from 'node:crypto';

/** Number of slots in a region's schedule, and of shards: ranges of slots that have one owner each. */
export const SLOTS = 256;
export const SHARDS = 16;
export const SLOTS_PER_SHARD = SLOTS / SHARDS;
const PHASES = 10_000;
/** A result that counts is recorded this long after its check began, at most: a check takes a minute, and its result the rest of a lease. */
export const RECORDED_WITHIN_MS = 120_000;

/** The slots of a shard. */
export function listSlots(shard: number): number[] {
  return Array.from({ length: SLOTS_PER_SHARD }, (_, place) => shard * SLOTS_PER_SHARD + place);
}

/** The shard of a slot. */
export function shardOf(slot: number): number {
  return Math.floor(slot / SLOTS_PER_SHARD);
}

/** The slot and phase of a monitor in a region's schedule: derived from its ID, evenly spread over shards and the interval. */
export function schedulePlace(monitorId: string, region: string): { slot: number; phase: number } {
  const digest = createHash('sha256').update(`${monitorId}/${region}`).digest();
  return { slot: digest.readUInt32BE(0) % SLOTS, phase: digest.readUInt32BE(4) % PHASES };
}

/**
 * The next time on the monitor's grid after `now`: multiples of the interval, shifted by its phase; in milliseconds. At least half
 * an interval away, so that an unscheduled or late check is not immediately followed by another. With checks off the grid, half of the
 * time between those: they must not put the next slot off.
 */
export function nextSlot(
  now: number,
  intervalMs: number,
  phase: number,
  confirmMs: number | null = null,
): number {
  const next = gridSlotAfter(now, intervalMs, phase);
  return next - now < (confirmMs ?? intervalMs) / 2 ? next + intervalMs : next;
}

/**
 * When a monitor is due after a check at `now` that was late for its slot, by less than an interval: at the next slot, which is not skipped,
 * but put off until half an interval has passed. Times in milliseconds.
 */
export function slotAfterLate(now: number, intervalMs: number, phase: number): number {
  return Math.max(gridSlotAfter(now, intervalMs, phase), now + intervalMs / 2);
}

/** The very next time on the monitor's grid, even if it is near. Times in milliseconds. */
export function gridSlotAfter(now: number, intervalMs: number, phase: number): number {
  const offset = Math.floor((phase * intervalMs) / PHASES);
  return Math.floor((now - offset) / intervalMs) * intervalMs + offset + intervalMs;
}

/** When a monitor is due: every interval, in milliseconds, shifted by its phase. */
export type Grid = { intervalMs: number; phase: number };

/**
 * The slot of a check: its time on the grid of the monitor, and from when to when checks belong to it. It is the nearest one, so a
 * clock that was a little off does not move a check into another slot. Times in milliseconds.
 */
export function slotOf(
  startedAt: number,
  { intervalMs, phase }: Grid,
): { at: number; from: number; to: number } {
  const half = intervalMs / 2;
  const at = gridSlotAfter(startedAt - half, intervalMs, phase);
  return { at, from: at - half, to: at + half };
}

/** Until when a late result has to wait: before, another owner may still record a check of its slot in time. */
export function waitsUntil(startedAt: number, grid: Grid): number {
  return Math.max(startedAt, slotOf(startedAt, grid).at) + RECORDED_WITHIN_MS;
}
