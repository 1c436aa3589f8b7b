import { type RefObject, useEffect, useState } from 'react';

/** Rows `from` to `to`, without the latter. */
type RowRange = { from: number; to: number };

/** Up to so many rows are all drawn, and the browser's own search finds them. */
const ALL_DRAWN = 100;

/** Rows come and go by so many at once: scrolling draws now and then, not at every step. */
const CHUNK = 8;

/** What the server draws, and the browser until it knows its window: the first screen of a large one. */
export const FIRST_ROWS: RowRange = { from: 0, to: 32 };

/** A drawn row, and how many before it are not. */
type DrawnRow = { index: number; skipped: number };

/** As tall as a row of the table is with the letters of most people; what is drawn is looked at. */
const USUAL_HEIGHT = 53;

type Options = {
  /** Holds the rows and nothing else; all are equally tall. */
  host: RefObject<HTMLElement | null>;
  count: number;
  /** The row with the focus is drawn wherever it is, or the focus would be lost; -1 for none. */
  pinned: number;
};

/**
 * Which rows of a long list are drawn, those in the window and around it, and how tall each is. Our own and not a library's:
 * rows of one height need a tenth of what one brings (docs/decisions/0019).
 */
export function useRowWindow({ host, count, pinned }: Options): {
  rows: DrawnRow[];
  skippedAfter: number;
  rowHeight: number;
} {
  const [range, setRange] = useState(FIRST_ROWS);
  const [rowHeight, setRowHeight] = useState(USUAL_HEIGHT);

  useEffect(() => {
    const look = () => {
      const element = host.current;
      if (!element) return;
      const height = element.querySelector<HTMLElement>('[data-row]')?.offsetHeight || USUAL_HEIGHT;
      const { top } = element.getBoundingClientRect();
      const next = rangeAround(top, height, window.innerHeight);
      setRowHeight(height);
      setRange((before) => (before.from === next.from && before.to === next.to ? before : next));
    };
    look();
    // Whatever comes or goes, above the rows too, changes the height of the page.
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [host]);

  return { ...drawRows(count, range, pinned), rowHeight };
}

/** The rows to draw where the first of them lies `top` pixels below the upper edge of a window of this height. */
export function rangeAround(top: number, rowHeight: number, windowHeight: number): RowRange {
  const first = Math.floor(-top / rowHeight / CHUNK) * CHUNK;
  const fitting = Math.ceil(windowHeight / rowHeight / CHUNK) * CHUNK;
  const from = Math.max(0, first - CHUNK);
  return { from, to: Math.max(from, first) + fitting + 2 * CHUNK };
}

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
