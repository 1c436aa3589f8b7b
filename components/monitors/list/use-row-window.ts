import { type RefObject, useEffect, useState } from 'react';
import { FIRST_ROWS, MAX_COMPLETE } from './list-view';

/** Rows `from` (inclusive) to `to` (exclusive). */
type RowRange = { from: number; to: number };

/** The range moves in chunks, so scrolling does not rerender at every step. */
const CHUNK = 8;

/** Row height in pixels until a row is measured. */
const DEFAULT_HEIGHT = 53;

type Options = {
  /** Contains only the rows, all of the same height. */
  host: RefObject<HTMLElement | null>;
  count: number;
  /** The focused row is always rendered, or it would lose the focus; -1 for none. */
  pinned: number;
};

/**
 * The rows of a long list to render, in and near the viewport, and the height of each. Not a library: rows of equal height
 * need a tenth of the code (docs/decisions/0019).
 */
export function useRowWindow({ host, count, pinned }: Options) {
  const [range, setRange] = useState<RowRange>({ from: 0, to: FIRST_ROWS });
  const [rowHeight, setRowHeight] = useState(DEFAULT_HEIGHT);

  useEffect(() => {
    const update = () => {
      const element = host.current;
      if (!element) return;
      const height = element.querySelector<HTMLElement>('[data-row]')?.offsetHeight || DEFAULT_HEIGHT;
      const { top } = element.getBoundingClientRect();
      const next = rangeAround(top, height, window.innerHeight);
      setRowHeight(height);
      setRange((before) => (before.from === next.from && before.to === next.to ? before : next));
    };
    update();

    // Content above the rows changes the height of the page, too.
    const observer = new ResizeObserver(update);
    observer.observe(document.body);
    window.addEventListener('scroll', update, { passive: true });
    window.addEventListener('resize', update);
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', update);
      window.removeEventListener('resize', update);
    };
  }, [host]);

  return { ...rowsToRender(count, range, pinned), rowHeight };
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
