import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  gridSlotAfter,
  listSlots,
  nextSlot,
  SHARDS,
  SLOTS,
  schedulePlace,
  shardOf,
  slotAfterLate,
  slotOf,
  waitsUntil,
} from './schedule-grid';

const MINUTE = 60_000;
/** A quarter of the interval later than the full minute. */
const PHASE = 2500;

describe('the schedule of a region', () => {
  it('has each slot in exactly one shard', () => {
    const slots = Array.from({ length: SHARDS }, (_, shard) => listSlots(shard));
    expect(slots.flat()).toEqual(Array.from({ length: SLOTS }, (_, slot) => slot));
    for (const [shard, own] of slots.entries()) expect(new Set(own.map(shardOf))).toEqual(new Set([shard]));
  });

  it('places a monitor by its ID and the region, wherever that is asked', () => {
    // A change would move every monitor of every installation to another moment, and to another owner.
    expect(schedulePlace('mon_1', 'us-east')).toEqual({ slot: 63, phase: 4970 });
    expect(schedulePlace('mon_1', 'eu-west')).not.toEqual(schedulePlace('mon_1', 'us-east'));
  });

  it('spreads monitors evenly', () => {
    const places = Array.from({ length: 4000 }, (_, index) => schedulePlace(`mon_${index}`, 'us-east'));
    const inFirstHalf = places.filter(({ phase }) => phase < 5000).length;
    expect(Math.abs(inFirstHalf - 2000)).toBeLessThan(200);
    const perShard = Array.from({ length: SHARDS }, (_, shard) => shard).map(
      (shard) => places.filter(({ slot }) => shardOf(slot) === shard).length,
    );
    expect(Math.min(...perShard)).toBeGreaterThan(190);
    expect(Math.max(...places.map(({ phase }) => phase))).toBeLessThan(10_000);
  });
});

describe('the grid of a monitor that is checked every minute, 15 s after the full minute', () => {
  it.each([
    [14_999, 15_000],
    // The slot of this very moment has begun.
    [15_000, 75_000],
    [15_001, 75_000],
    [0, 15_000],
  ])('has after %i its slot at %i', (now, slot) => {
    expect(gridSlotAfter(now, MINUTE, PHASE)).toBe(slot);
  });

  it.each([
    [14_999, 75_000],
    [15_000, 75_000],
    // Exactly half an interval before the next slot.
    [45_000, 75_000],
    [45_001, 135_000],
  ])('checks after a check at %i next at %i: no sooner than half an interval later', (now, next) => {
    expect(nextSlot(now, MINUTE, PHASE)).toBe(next);
  });

  it.each([
    // Checks every 20 s while a failure is confirmed: half of those is 10 s.
    [65_000, 75_000],
    [65_001, 135_000],
  ])('checks after a confirmation at %i next at %i', (now, next) => {
    expect(nextSlot(now, MINUTE, PHASE, 20_000)).toBe(next);
  });

  it.each([
    [45_000, 75_000],
    [60_000, 90_000],
    [20_000, 75_000],
  ])('puts the slot after a check that was late until %i off until %i at most', (now, next) => {
    expect(slotAfterLate(now, MINUTE, PHASE)).toBe(next);
  });

  it.each([
    [45_000, { at: 75_000, from: 45_000, to: 105_000 }],
    [44_999, { at: 15_000, from: -15_000, to: 45_000 }],
    [75_000, { at: 75_000, from: 45_000, to: 105_000 }],
    [104_999, { at: 75_000, from: 45_000, to: 105_000 }],
    [105_000, { at: 135_000, from: 105_000, to: 165_000 }],
  ])('gives a check that began at %i to the nearest slot: %j', (startedAt, slot) => {
    expect(slotOf(startedAt, { intervalMs: MINUTE, phase: PHASE })).toEqual(slot);
  });

  it.each([
    // Begun before its slot, and after it.
    [70_000, 195_000],
    [80_000, 200_000],
  ])('lets a late result of a check at %i wait until %i', (startedAt, until) => {
    expect(waitsUntil(startedAt, { intervalMs: MINUTE, phase: PHASE })).toBe(until);
  });
});

it('every moment belongs to one slot, and the next slot is at most one and a half intervals away', () => {
  const interval = fc.integer({ min: 1, max: 3600 }).map((seconds) => seconds * 1000);
  const now = fc.integer({ min: 0, max: 4_102_444_800_000 });
  fc.assert(
    fc.property(now, interval, fc.nat(9999), (at, intervalMs, phase) => {
      const { from, to } = slotOf(at, { intervalMs, phase });
      expect(from <= at && at < to).toBe(true);
      expect(slotOf(to, { intervalMs, phase }).from).toBe(to);
      const wait = nextSlot(at, intervalMs, phase) - at;
      expect(wait >= intervalMs / 2 && wait <= intervalMs * 1.5).toBe(true);
    }),
  );
});
