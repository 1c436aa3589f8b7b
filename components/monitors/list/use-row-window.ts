import { type RefObject, useEffect, useState } from 'react';
import { type DrawnRow, drawRows, FIRST_ROWS, rangeAround } from './row-window';

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
