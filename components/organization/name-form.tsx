'use client';

import { useActionState } from 'react';
import { ActionForm } from '@/components/ui/forms/action-form';
import { TextField } from '@/components/ui/forms/field';
import { Form, SubmitButton } from '@/components/ui/forms/form';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  /** The current name; empty for a new organization. */
  name: string;
  submit: string;
};

/** Creates or renames an organization. */
export function NameForm({ save, name, submit }: Props) {
  const submission = useActionState(save, freshState({ name }));
  const [state] = submission;
  return (
    <div className="flex flex-col gap-3">
      <ActionForm submission={submission} button={submit} isInline>
        <TextField
          {...fieldOf(state, 'name')}
          label="Name"
          autoComplete="organization"
          required
          maxLength={100}
          className="max-w-md flex-1 basis-60"
        />
      </ActionForm>
      <p role="status" className="text-sm text-good empty:sr-only">
        {state.attempt > 0 && !state.message ? 'Saved.' : ''}
      </p>
    </div>
  );
}

type DeleteFormProps = { remove: (state: FormState, form: FormData) => Promise<FormState>; name: string };

/** Deletes the organization after its name has been typed. */
export function DeleteForm({ remove, name }: DeleteFormProps) {
  const [state, action, isPending] = useActionState(remove, freshState({ confirmation: '' }));
  return (
    <Form action={action} state={state} className="flex flex-col items-start gap-3">
      <TextField
        name="confirmation"
        label={`Type “${name}” to confirm`}
        autoComplete="off"
        required
        defaultValue={state.values.confirmation}
        error={state.errors.name && `The name must be “${name}”.`}
        className="w-full max-w-md"
      />
      <SubmitButton tone="danger" size="large" isPending={isPending}>
        Delete this organization
      </SubmitButton>
    </Form>
  );
}
