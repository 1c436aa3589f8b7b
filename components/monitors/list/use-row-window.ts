import { type RefObject, useEffect, useState } from 'react';
import { FIRST_ROWS, rangeAround, rowsToRender } from './row-window';

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
  const [range, setRange] = useState(FIRST_ROWS);
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
