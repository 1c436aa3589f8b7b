import type { FormState } from '@/components/ui/form-state';

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
