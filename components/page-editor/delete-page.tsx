'use client';

import { Trash2 } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { TextField } from '@/components/ui/forms/field';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { PAGE_DELETION } from './consequences';

type Props = {
  name: string;
  slug: string;
  remove: (state: FormState, form: FormData) => Promise<FormState>;
};

/** Permanently deletes a page after its slug is typed: links to it may exist anywhere. */
export function DeletePage({ name, slug, remove }: Props) {
  const [state, action, isPending] = useSubmission(remove, freshState());
  const error = state.errors.confirmation;
  return (
    <ConfirmDialog
      trigger={
        <Button tone="danger" icon={<Trash2 />}>
          Delete
        </Button>
      }
      title={`Delete “${name}”?`}
      description={PAGE_DELETION}
      confirm="Delete page"
      action={action}
      isPending={isPending}
      problem={error ? null : (state.message?.text ?? null)}
    >
      <TextField
        key={state.attempt}
        name="confirmation"
        label="Slug to confirm"
        hint={
          <>
            Type <span className="font-mono">{slug}</span>
          </>
        }
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={state.values.confirmation}
        error={error}
      />
    </ConfirmDialog>
  );
}
