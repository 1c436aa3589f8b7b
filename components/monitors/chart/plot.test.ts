import { describe, expect, it } from 'vitest';
import { barsPath, dotsPath, linePath, marksPath, niceScale, placeOf } from './plot';

describe('niceScale', () => {
  it.each([
    [0, [0, 1]],
    [7, [0, 2, 4, 6, 8]],
    [95, [0, 25, 50, 75, 100]],
    [100, [0, 25, 50, 75, 100]],
    [101, [0, 50, 100, 150]],
    [340, [0, 100, 200, 300, 400]],
    [30_000, [0, 10_000, 20_000, 30_000]],
  ])('has round ticks up to %d ms', (highest, ticks) => expect(niceScale(highest).ticks).toEqual(ticks));

  it('always reaches the highest value, with at most five ticks', () => {
    for (let highest = 1; highest < 60_000; highest = Math.ceil(highest * 1.07)) {
      const { top, ticks } = niceScale(highest);
      expect(top).toBeGreaterThanOrEqual(highest);
      expect(ticks.length).toBeLessThanOrEqual(5);
    }
  });
});

describe('linePath', () => {
  it('runs through the middle of each bucket', () => {
    expect(linePath([0, 50, 100, 50], 100)).toBe('M125 100L375 50L625 0L875 50');
  });

  it('breaks at missing values, and leaves lone ones to the dots', () => {
    expect(linePath([50, null, 50, 50], 100)).toBe('M625 50L875 50');
    expect(linePath([null, null], 100)).toBe('');
  });
});

describe('dotsPath', () => {
  it('has a dot for each value between gaps, such as the only result', () => {
    expect(dotsPath([null, null, null, 20], 100)).toBe('M875 80h0.1');
    expect(dotsPath([50, null, 50, 50], 100)).toBe('M125 50h0.1');
    expect(dotsPath([null, null], 100)).toBe('');
  });
});

describe('barsPath', () => {
  it('draws bars as high as their share, but never too low to see', () => {
    expect(barsPath([0, 1, 0.01, 0.5], 10)).toBe('M250 100v-10h250v10zM500 100v-2h250v2zM750 100v-5h250v5z');
  });
});

it('marks stand at their moment', () => {
  expect(marksPath([1000, 1250], { from: 1000, to: 2000 }, 10)).toBe('M0 100v-10M250 100v-10');
});

describe('placeOf', () => {
  const frame = { from: 1000, to: 2000 };
  it('clips a period to the frame', () => {
    expect(placeOf({ from: 1250, to: 1500 }, frame)).toEqual({ x: 250, width: 250 });
    expect(placeOf({ from: 0, to: 1100 }, frame)).toEqual({ x: 0, width: 100 });
    expect(placeOf({ from: 1900, to: 9000 }, frame)).toEqual({ x: 900, width: 100 });
  });

  it('returns null outside the frame', () => expect(placeOf({ from: 0, to: 1000 }, frame)).toBeNull());
});
