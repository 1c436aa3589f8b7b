import type { ReactNode } from 'react';
import { cn } from './cn';

/** Facts about one thing, as cells of a grid; `className` says how many stand in a row. */
export function Facts({ className, children }: { className: string; children: ReactNode }) {
  return (
    <dl
      className={cn(
        'grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line',
        className,
      )}
    >
      {children}
    </dl>
  );
}

export function Fact({
  term,
  className,
  children,
}: {
  term: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div className={cn('flex min-w-0 flex-col gap-0.5 bg-surface px-3 py-2.5', className)}>
      <dt className="text-xs text-muted">{term}</dt>
      <dd className="font-medium break-words tabular-nums">{children}</dd>
    </div>
  );
}
