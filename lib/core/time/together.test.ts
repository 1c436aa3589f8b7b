import { describe, expect, it } from 'vitest';
import { untilNext } from './together';

describe('loops that wake together', () => {
  it.each([
    [0, 1000],
    [0.4, 999.6],
    [400, 600],
    [979, 21],
    // A timer that was set for 1,000 and ended early.
    [999.4, 1000.6],
    [985, 1015],
  ])('at %f ms sleep for %f ms with a period of a second', (now, ms) => {
    expect(untilNext(1000, now)).toBeCloseTo(ms, 6);
  });

  it('expect timers of longer periods to end earlier', () => {
    expect(untilNext(5000, 12_000)).toBe(3000);
    expect(untilNext(5000, 14_950)).toBe(5050);
  });
});
