import { describe, expect, it } from 'vitest';
import { FIRST_ROWS } from './list-view';
import { rangeAround, rowsToRender } from './use-row-window';

const ROW = 50;
const WINDOW = 900;

describe('rangeAround', () => {
  it('covers the viewport at every scroll position with few rows', () => {
    for (let scrolled = -300; scrolled < 60_000; scrolled += 7) {
      const { from, to } = rangeAround(-scrolled, ROW, WINDOW);
      expect(from * ROW).toBeLessThanOrEqual(Math.max(0, scrolled));
      expect(to * ROW).toBeGreaterThanOrEqual(scrolled + WINDOW);
      expect(to - from).toBeLessThanOrEqual(50);
    }
  });

  it('stays the same over small scroll steps', () => {
    const ranges = Array.from({ length: 100 }, (_, step) => rangeAround(-step * 4, ROW, WINDOW));
    expect(new Set(ranges.map(({ from, to }) => `${from} ${to}`)).size).toBeLessThanOrEqual(2);
  });
});

describe('rowsToRender', () => {
  const placesOf = (count: number, pinned = -1, range = { from: 200, to: 240 }) => {
    const { rows, skippedAfter } = rowsToRender(count, range, pinned);
    // Every row is rendered or counted in one of the gaps.
    expect(rows.reduce((sum, { skipped }) => sum + skipped + 1, skippedAfter)).toBe(count);
    return rows.map(({ index }) => index);
  };

  it('renders all rows of a short list, and the range of a long one', () => {
    expect(placesOf(100)).toHaveLength(100);
    expect(placesOf(1000)).toHaveLength(40);
    expect(placesOf(150, -1, { from: 0, to: FIRST_ROWS })).toHaveLength(32);
    expect(placesOf(0)).toEqual([]);
  });

  it.each([0, 199, 200, 239, 240, 999])('includes the focused row %i', (pinned) => {
    expect(placesOf(1000, pinned)).toContain(pinned);
  });

  it('renders the last rows if the list became shorter than the scroll position', () => {
    expect(placesOf(150)).toEqual(Array.from({ length: 40 }, (_, place) => 110 + place));
    expect(placesOf(210).at(0)).toBe(170);
  });
});
