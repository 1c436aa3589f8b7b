import type { ReactNode } from 'react';
import { cn } from './cn';
import type { Reading } from './use-reading';

type Props = {
  reading: Reading;
  /** Accessible name. */
  label: string;
  /** The selected item in words, or the one that would be selected first. */
  text: string;
  className: string;
  children: ReactNode;
};

/** An area whose items are inspected one at a time by pointer, touch or keyboard; a slider to assistive technology. */
export function ReadingArea({ reading, label, text, className, children }: Props) {
  const { count, index, follow, leave, step, end } = reading;
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={(index ?? count - 1) + 1}
      aria-valuetext={text}
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerLeave={leave}
      onKeyDown={step}
      onBlur={end}
      className={cn('relative touch-pan-y', className)}
    >
      {children}
    </div>
  );
}
