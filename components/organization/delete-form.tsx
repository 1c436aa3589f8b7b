'use client';

import { useActionState } from 'react';
import { TextField } from '@/components/ui/field';
import { Form } from '@/components/ui/form';
import { type FormState, freshState } from '@/components/ui/form-state';
import { SubmitButton } from '@/components/ui/submit-button';

type Props = { remove: (state: FormState, form: FormData) => Promise<FormState>; name: string };

/** Deletes the organization, once its name is typed. */
export function DeleteForm({ remove, name }: Props) {
  const [state, action, isPending] = useActionState(remove, freshState({ confirmation: '' }));
  return (
    <Form action={action} state={state} className="flex flex-col items-start gap-3">
      <TextField
        name="confirmation"
        label={`Type “${name}” to confirm`}
        autoComplete="off"
        required
        defaultValue={state.values.confirmation}
        error={state.errors.name}
        className="w-full max-w-md"
      />
      <SubmitButton tone="danger" size="large" isPending={isPending}>
        Delete this organization
      </SubmitButton>
    </Form>
  );
}
