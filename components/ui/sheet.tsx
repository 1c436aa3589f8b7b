import { SlidersHorizontal, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonLook } from './button';
import { cn } from './cn';

type Props = {
  id: string;
  label: string;
  /** How many of its fields are set. */
  count: number;
  children: ReactNode;
};

/**
 * Fields in the row around it. On a phone they are in a sheet at the bottom, behind a button: a popover, which opens without scripts and
 * returns the focus.
 */
export function Sheet({ id, label, count, children }: Props) {
  return (
    <>
      <button type="button" popoverTarget={id} className={cn(buttonLook(), 'sm:hidden')}>
        <SlidersHorizontal />
        {label}
        {count > 0 ? (
          <span className="rounded-full bg-accent px-1.5 text-xs leading-5 text-accent-ink tabular-nums">
            {count}
          </span>
        ) : null}
      </button>
      <div
        id={id}
        popover="auto"
        className="fixed inset-x-0 top-auto bottom-0 max-h-[85dvh] w-auto flex-col gap-4 overflow-y-auto rounded-t-xl border-t border-line bg-surface p-4 pb-[calc(1rem+env(safe-area-inset-bottom))] text-ink shadow-xl backdrop:bg-black/50 open:flex sm:contents"
      >
        <div className="flex items-center justify-between sm:hidden">
          <p className="text-base font-semibold">{label}</p>
          <button
            type="button"
            popoverTarget={id}
            popoverTargetAction="hide"
            aria-label="Close"
            className="flex items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink"
          >
            <X className="size-4" />
          </button>
        </div>
        <div className="flex flex-col gap-4 sm:contents">{children}</div>
      </div>
    </>
  );
}
