import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import type { SettledTry } from './settle-delivery';
import { createSettlementRecorder } from './settlement-recorder';

const log = createLogger('silent', 'test');
const tried = (id: string, duration = 0) => ({ delivery: { id }, outcome: { duration } }) as SettledTry;

function begin(refuses: (ids: string[]) => boolean) {
  const written: string[][] = [];
  const write = async (settled: SettledTry[]) => {
    const ids = settled.map(({ delivery }) => delivery.id);
    if (refuses(ids)) throw new Error('refused');
    written.push(ids);
  };
  return { written, recorder: createSettlementRecorder({ write, log }) };
}

describe('recording tries', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('writes what ends within a moment in one statement, in order', async () => {
    const { written, recorder } = begin(() => false);
    const done = Promise.all(['a', 'b', 'c'].map((id) => recorder.add(tried(id))));
    await vi.advanceTimersByTimeAsync(10);
    await done;
    expect(written).toEqual([['a', 'b', 'c']]);
  });

  it('tries again while the database is away, as long as the lease lasts', async () => {
    let isAway = true;
    const { written, recorder } = begin(() => isAway);
    const back = recorder.add(tried('a'));
    await vi.advanceTimersByTimeAsync(20_000);
    isAway = false;
    await vi.advanceTimersByTimeAsync(2000);
    await back;
    expect(written).toEqual([['a']]);

    isAway = true;
    const lost = recorder.add(tried('b', 30_000));
    await vi.advanceTimersByTimeAsync(10_000);
    await lost;
    isAway = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(written, 'its lease has ended: the try is made again').toEqual([['a']]);
  });

  it('writes everything else where the database refuses one', async () => {
    const { written, recorder } = begin((ids) => ids.includes('bad'));
    for (const id of ['a', 'b', 'bad', 'c']) void recorder.add(tried(id));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(written.flat().toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('gives up at once when it is told to stop', async () => {
    const { written, recorder } = begin(() => true);
    recorder.stop();
    const done = recorder.add(tried('a'));
    await vi.advanceTimersByTimeAsync(10);
    await done;
    expect(written).toEqual([]);
  });
});
