import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

type Props = { title: string; hint?: string; isOpen?: boolean; children: ReactNode };

/** A part that most never need, folded away; a form opens it by itself when one of its fields is refused. */
export function Fold({ title, hint, isOpen = false, children }: Props) {
  return (
    <details className="group rounded-lg border border-line bg-surface" open={isOpen}>
      <summary className="flex list-none items-center gap-1.5 rounded-lg px-3 py-2.5 hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90"
          aria-hidden="true"
        />
        <span className="font-medium whitespace-nowrap">{title}</span>
        {hint ? <span className="min-w-0 truncate text-xs text-muted">{hint}</span> : null}
      </summary>
      <div className="flex flex-col gap-4 border-t border-line px-4 py-4">{children}</div>
    </details>
  );
}
