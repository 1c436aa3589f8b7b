import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { indexAt, stepTo, type useReading } from '@/components/ui/use-reading';

/** The first and the last selected item; they differ. */
type Range = { first: number; last: number };

type Props = { reading: ReturnType<typeof useReading>; onZoom: (range: Range) => void };

/**
 * Selects a range of the items that are read one at a time: by dragging with the pointer or a finger, which zooms when it ends, or
 * with Shift and the arrow keys, and then Enter. Escape clears the selection. `range` is null while nothing is selected.
 */
export function useBrush({ reading, onZoom }: Props) {
  const { count, index, handlers } = reading;
  const [range, setRange] = useState<Range | null>(null);
  // Where the selection began; a ref, because the pointer can move and lift between two renderings.
  const anchor = useRef<number | null>(null);
  const isDragging = useRef(false);

  const select = (head: number) => setRange(rangeOf(anchor.current, head));
  const end = (zoomTo: Range | null) => {
    anchor.current = null;
    isDragging.current = false;
    setRange(null);
    if (zoomTo) onZoom(zoomTo);
  };
  return {
    range,
    reading: {
      ...reading,
      handlers: {
        ...handlers,
        onPointerDown: (event: PointerEvent) => {
          handlers.onPointerDown(event);
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          anchor.current = indexAt(event, count);
          isDragging.current = true;
        },
        onPointerMove: (event: PointerEvent) => {
          handlers.onPointerMove(event);
          if (isDragging.current) select(indexAt(event, count));
        },
        onPointerUp: (event: PointerEvent) => {
          if (isDragging.current) end(rangeOf(anchor.current, indexAt(event, count)));
        },
        // The browser scrolls instead.
        onPointerCancel: () => end(null),
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key === 'Enter' && range) {
            event.preventDefault();
            end(range);
            return;
          }
          const to = stepTo(event.key, index, count);
          handlers.onKeyDown(event);
          if (typeof to === 'number' && event.shiftKey) {
            anchor.current ??= index ?? to;
            select(to);
          } else if (to !== undefined) end(null);
        },
        onBlur: () => {
          handlers.onBlur();
          end(null);
        },
      },
    },
  };
}

function rangeOf(anchor: number | null, head: number): Range | null {
  if (anchor === null || anchor === head) return null;
  return { first: Math.min(anchor, head), last: Math.max(anchor, head) };
}
