import { type KeyboardEvent, type PointerEvent, useState } from 'react';

const PAGE = 10;

/** What is read of a row of things, and how a `ReadingArea` over them changes it. */
export type Reading = {
  count: number;
  /** The one that is read; null while none is. */
  index: number | null;
  follow(event: PointerEvent): void;
  leave(event: PointerEvent): void;
  step(event: KeyboardEvent): void;
  end(): void;
};

/**
 * Reads a row of `count` equally wide things, one at a time: the one under the pointer or the finger, or, by keyboard, the one
 * that arrow keys, Page Up and Down, Home and End lead to.
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
      // A finger that is lifted leaves too; what it pointed at stays.
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

/**
 * Where a key leads from `index`, or from nowhere to the last one; null ends the reading, undefined is for keys that mean
 * nothing here.
 */
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
