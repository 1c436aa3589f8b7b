import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createWatchedDrain, runUntilSucceeded } from './watched-drain';

const START = new Date('2026-11-20T10:00:01.000Z');
const UNTIL = new Date('2026-11-20T10:01:10.000Z');
const after = (seconds: number) => new Date(START.getTime() + seconds * 1000);

/**
 * Runs a drain that Inngest started at START, on a clock that every drain advances to its end. Returns when
 * it ended, in seconds since START. `wakes`: when drains were started again, in the same seconds; `stopsAt`:
 * when the worker stops.
 */
async function endOf({ wakes, stopsAt = Number.POSITIVE_INFINITY }: { wakes: number[]; stopsAt?: number }) {
  const clock = createManualClock(START);
  const drain = createWatchedDrain(
    'pharos/deliver-shard',
    async (until) => clock.set(new Date(Math.min(until.getTime(), START.getTime() + stopsAt * 1000))),
    async () => null,
  );
  const hasSuccessor = async (_: string, since: Date) =>
    wakes.some((wake) => after(wake) >= since && after(wake) <= clock.now());
  await runUntilSucceeded(drain, { clock, hasSuccessor })(UNTIL);
  return (clock.now().getTime() - START.getTime()) / 1000;
}

describe('a drain that Inngest has started', () => {
  it('ends on time if the next one has started', async () => {
    expect(await endOf({ wakes: [60] })).toBe(69);
  });

  it('continues until a late next one starts', async () => {
    expect(await endOf({ wakes: [90] })).toBe(91);
  });

  it('does not mistake a parallel run for its successor', async () => {
    expect(await endOf({ wakes: [3, 90] })).toBe(91);
  });

  it('eventually ends in any case, when the worker has long been waking itself', async () => {
    expect(await endOf({ wakes: [] })).toBe(69 + 90);
  });

  it('ends with the worker', async () => {
    expect(await endOf({ wakes: [], stopsAt: 50 })).toBe(50);
    expect(await endOf({ wakes: [], stopsAt: 72 })).toBe(72);
  });
});
