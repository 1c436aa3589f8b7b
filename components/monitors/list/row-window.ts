/** Rows `from` to `to`, without the latter. */
export type RowRange = { from: number; to: number };

/** Up to so many rows are all drawn, and the browser's own search finds them. */
export const ALL_DRAWN = 100;

/** Rows come and go by so many at once: scrolling draws now and then, not at every step. */
const CHUNK = 8;

/** What the server draws, and the browser until it knows its window: the first screen of a large one. */
export const FIRST_ROWS: RowRange = { from: 0, to: 32 };

/** The rows to draw where the first of them lies `top` pixels below the upper edge of a window of this height. */
export function rangeAround(top: number, rowHeight: number, windowHeight: number): RowRange {
  const first = Math.floor(-top / rowHeight / CHUNK) * CHUNK;
  const fitting = Math.ceil(windowHeight / rowHeight / CHUNK) * CHUNK;
  const from = Math.max(0, first - CHUNK);
  return { from, to: Math.max(from, first) + fitting + 2 * CHUNK };
}

/** A drawn row, and how many before it are not. */
export type DrawnRow = { index: number; skipped: number };

/** Which of `count` rows are drawn: those of the range and the pinned one, and how many are not after the last. */
export function drawRows(
  count: number,
  range: RowRange,
  pinned: number,
): { rows: DrawnRow[]; skippedAfter: number } {
  const isWhole = count <= ALL_DRAWN;
  // A list that became shorter than one had scrolled: its end, until the window is looked at again.
  const to = isWhole ? count : Math.min(range.to, count);
  const from = isWhole ? 0 : Math.max(0, to - (range.to - range.from));
  const drawn = Array.from({ length: to - from }, (_, place) => from + place);
  if (pinned >= 0 && pinned < count && !drawn.includes(pinned)) drawn.push(pinned);
  drawn.sort((a, b) => a - b);
  const rows = drawn.map((index, place) => ({ index, skipped: index - (drawn[place - 1] ?? -1) - 1 }));
  return { rows, skippedAfter: count - 1 - (drawn.at(-1) ?? -1) };
}
