import type { ReactNode } from 'react';
import type { FormState } from '@/components/ui/forms/form-state';

type SectionProps = { id: string; title: string; lead: ReactNode; children: ReactNode };

/** A section of a settings page: title and description on the left, controls on the right. */
export function Section({ id, title, lead, children }: SectionProps) {
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

/** The state of a form that stays visible after saving; `saved` is its confirmation. */
export type SavedState = FormState & { saved?: string };

/** Confirms that a form was saved; announced by screen readers. */
export function Saved({ text }: { text: string | undefined }) {
  return (
    <p role="status" className="text-sm text-muted">
      {text}
    </p>
  );
}
