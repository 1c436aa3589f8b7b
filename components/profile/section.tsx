import type { FormState } from '@/components/ui/forms/form-state';

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
