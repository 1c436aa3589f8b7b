import { ChevronRight } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

type Props = {
  title: string;
  hint?: string;
  isOpen?: boolean;
  onToggle?: ComponentProps<'details'>['onToggle'];
  children: ReactNode;
};

/** A collapsed section of optional fields; a form opens it when one of its fields has an error. */
export function Fold({ title, hint, isOpen = false, onToggle, children }: Props) {
  return (
    <details className="group rounded-lg border border-line bg-surface" open={isOpen} onToggle={onToggle}>
      <summary className="flex list-none items-center gap-1.5 rounded-lg px-3 py-2.5 hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90" />
        <span className="font-medium whitespace-nowrap">{title}</span>
        {hint ? <span className="min-w-0 truncate text-xs text-muted">{hint}</span> : null}
      </summary>
      <div className="flex flex-col gap-4 border-t border-line px-4 py-4">{children}</div>
    </details>
  );
}

/** Facts about one thing as cells of a grid; `className` sets the number of columns. */
export function Facts({ className, children }: { className: string; children: ReactNode }) {
  return (
    <dl className={cn('grid gap-px overflow-hidden rounded-lg border border-line bg-surface', className)}>
      {children}
    </dl>
  );
}

type FactProps = { term: string; className?: string; children: ReactNode };

export function Fact({ term, className, children }: FactProps) {
  return (
    <div className={cn('flex min-w-0 flex-col gap-0.5 px-3 py-2.5 ring-1 ring-line', className)}>
      <dt className="text-xs text-muted">{term}</dt>
      <dd className="font-medium break-words tabular-nums">{children}</dd>
    </div>
  );
}

/** A titled part of a longer form. */
export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-4 border-t border-line pt-5 first-of-type:border-0 first-of-type:pt-0">
      <h2 className="text-sm font-semibold">{title}</h2>
      {children}
    </section>
  );
}
