import type { ReactNode } from 'react';
import type { FormState } from '@/components/ui/form-state';

/** A part of a page of settings: what it is about, and beside it what can be changed. */
export function Section({
  id,
  title,
  lead,
  children,
}: {
  id: string;
  title: string;
  lead: ReactNode;
  children: ReactNode;
}) {
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-8 gap-y-4 border-b border-line pb-8 last:border-0 lg:grid-cols-[16rem_1fr]"
    >
      <div className="flex flex-col gap-1">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        <p className="text-muted">{lead}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}

/** A form that stays where it is once it was taken; `saved` then says so. */
export type SavedState = FormState & { saved: string | null };

/** Says that a form was taken, to eyes and ears. */
export function Saved({ text }: { text: string | null }) {
  return (
    <p role="status" className="text-sm text-muted">
      {text}
    </p>
  );
}
