import { type KeyboardEvent, type PointerEvent, useState } from 'react';

const PAGE = 10;

/** The item of a row that is being inspected, and the handlers of the `ReadingArea` over the row. */
export type Reading = {
  count: number;
  /** Null while no item is selected. */
  index: number | null;
  follow(event: PointerEvent): void;
  leave(event: PointerEvent): void;
  step(event: KeyboardEvent): void;
  end(): void;
};

/**
 * Inspects a row of `count` equally wide items one at a time: the one under the pointer or finger, or the one reached with
 * the arrow keys, Page Up, Page Down, Home and End.
 */
export function useReading(count: number): Reading {
  const [read, setRead] = useState<number | null>(null);
  const index = read === null ? null : Math.min(read, count - 1);
  return {
    count,
    index,
    follow: ({ currentTarget, clientX }) => {
      const { left, width } = currentTarget.getBoundingClientRect();
      setRead(clamp(Math.floor(((clientX - left) / width) * count), count));
    },
    leave: ({ pointerType }) => {
      // Lifting a finger also fires this event, but must keep the selection.
      if (pointerType === 'mouse') setRead(null);
    },
    step: (event) => {
      const to = stepTo(event.key, index, count);
      if (to === undefined) return;
      event.preventDefault();
      setRead(to);
    },
    end: () => setRead(null),
  };
}

/** The index a key leads to; without a current `index`, the last item. Null clears the selection, undefined ignores the key. */
export function stepTo(key: string, index: number | null, count: number): number | null | undefined {
  const by = (steps: number) => clamp(index === null ? count - 1 : index + steps, count);
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return by(-1);
    case 'ArrowRight':
    case 'ArrowUp':
      return by(1);
    case 'PageDown':
      return by(-PAGE);
    case 'PageUp':
      return by(PAGE);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    case 'Escape':
      return null;
    default:
      return undefined;
  }
}

function clamp(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index));
}
