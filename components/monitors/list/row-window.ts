/** Rows `from` (inclusive) to `to` (exclusive). */
export type RowRange = { from: number; to: number };

/** Lists up to this long are rendered completely, for the browser's own search to find every row. */
const MAX_COMPLETE = 100;

/** The range moves in chunks, so scrolling does not rerender at every step. */
const CHUNK = 8;

/** The rows that the server renders, and the browser until it knows its viewport. */
export const FIRST_ROWS: RowRange = { from: 0, to: 32 };

/** How many rows of a list the server renders. */
export function countFirstRows(count: number): number {
  return count <= MAX_COMPLETE ? count : FIRST_ROWS.to;
}

/** The rows to render if the first one starts `top` pixels below the upper edge of the viewport. */
export function rangeAround(top: number, rowHeight: number, windowHeight: number): RowRange {
  const first = Math.floor(-top / rowHeight / CHUNK) * CHUNK;
  const visible = Math.ceil(windowHeight / rowHeight / CHUNK) * CHUNK;
  const from = Math.max(0, first - CHUNK);
  return { from, to: Math.max(from, first) + visible + 2 * CHUNK };
}

/** Which of `count` rows are rendered: the range and the pinned row; and how many are skipped before each and after the last. */
export function rowsToRender(count: number, range: RowRange, pinned: number) {
  const isWhole = count <= MAX_COMPLETE;
  // If the list became shorter than the scroll position, render its end until the next update.
  const to = isWhole ? count : Math.min(range.to, count);
  const from = isWhole ? 0 : Math.max(0, to - (range.to - range.from));
  const indexes = Array.from({ length: to - from }, (_, place) => from + place);
  if (pinned >= 0 && pinned < count && !indexes.includes(pinned)) indexes.push(pinned);
  indexes.sort((a, b) => a - b);
  const rows = indexes.map((index, place) => ({ index, skipped: index - (indexes[place - 1] ?? -1) - 1 }));
  return { rows, skippedAfter: count - 1 - (indexes.at(-1) ?? -1) };
}
