'use client';

import { ConfirmDeletionForm } from '@/components/ui/forms/confirm-deletion-form';
import { TextField } from '@/components/ui/forms/field';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { SavedForm } from './saved-form';

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  /** The current name; empty for a new organization. */
  name: string;
  submit: string;
};

/** Creates or renames an organization. */
export function NameForm({ save, name, submit }: Props) {
  const submission = useSubmission(save, freshState({ name }));
  const [state] = submission;
  return (
    <SavedForm submission={submission} button={submit}>
      <TextField
        {...fieldOf(state, 'name')}
        label="Name"
        autoComplete="organization"
        required
        maxLength={100}
        className="max-w-md flex-1 basis-60"
      />
    </SavedForm>
  );
}

type DeleteFormProps = { remove: (state: FormState, form: FormData) => Promise<FormState>; name: string };

/** Deletes the organization after its name has been typed. */
export function DeleteForm({ remove, name }: DeleteFormProps) {
  return (
    <ConfirmDeletionForm
      confirmation={name}
      mismatch={{ path: 'name', message: `The name must be “${name}”.` }}
      button="Delete this organization"
      remove={remove}
    />
  );
}
