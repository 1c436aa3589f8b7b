import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { cn } from './cn';

/**
 * Inspects a row of `count` equally wide items one at a time: the one under the pointer or finger, or the one reached with
 * the arrow keys, Page Up, Page Down, Home and End.
 */
export function useReading(count: number) {
  const [read, setRead] = useState<number | null>(null);
  const index = read === null ? null : Math.min(read, count - 1);
  const follow = (event: PointerEvent) => setRead(indexAt(event, count));
  return {
    count,
    /** Null while no item is selected. */
    index,
    handlers: {
      onPointerMove: follow,
      onPointerDown: follow,
      onPointerLeave: ({ pointerType }: PointerEvent) => {
        // Lifting a finger also fires this event, but must keep the selection.
        if (pointerType === 'mouse') setRead(null);
      },
      onKeyDown: (event: KeyboardEvent) => {
        const to = stepTo(event.key, index, count);
        if (to === undefined) return;
        event.preventDefault();
        setRead(to);
      },
      onBlur: () => setRead(null),
    },
  };
}

/** The item of a row of `count` that is under the pointer. */
export function indexAt({ currentTarget, clientX }: PointerEvent, count: number): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return clamp(Math.floor(((clientX - left) / width) * count), count);
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

/** The index a key moves to; without a current `index`, the last item. Null clears the selection, undefined ignores the key. */
export function stepTo(key: string, index: number | null, count: number): number | null | undefined {
  if (key === 'Escape') return null;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const steps = STEPS[key];
  if (steps === undefined) return undefined;
  return index === null ? count - 1 : clamp(index + steps, count);
}

function clamp(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index));
}

type Props = {
  reading: ReturnType<typeof useReading>;
  /** Accessible name. */
  label: string;
  /** The selected item in words, or the one that would be selected first. */
  text: string;
  className: string;
  children: ReactNode;
};

/** An area whose items are inspected one at a time by pointer, touch or keyboard; a slider to assistive technology. */
export function ReadingArea({ reading, label, text, className, children }: Props) {
  const { count, index, handlers } = reading;
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={(index ?? count - 1) + 1}
      aria-valuetext={text}
      {...handlers}
      className={cn('relative touch-pan-y', className)}
    >
      {children}
    </div>
  );
}
