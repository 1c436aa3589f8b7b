import type { ReactNode } from 'react';

/** By keyboard, because it scrolls. */
const FOCUSABLE = { tabIndex: 0 };

type Props = { label: string; rem: number; children: ReactNode };

/** A place for what arrives later: as high before as after, so that nothing on the page moves. What is higher scrolls. */
export function ResultBox({ label, rem, children }: Props) {
  return (
    <section {...FOCUSABLE} aria-label={label} className="overflow-y-auto" style={{ height: `${rem}rem` }}>
      <div role="status" aria-label={label}>
        {children}
      </div>
    </section>
  );
}
