'use client';

import type { ReactNode } from 'react';
import { TextField } from './field';
import { Form } from './form';
import { type FormState, freshState } from './form-state';
import { SubmitButton } from './submit-button';
import { useSubmission } from './use-submission';

type Props = {
  /** What to type, as `confirmation`. */
  confirmation: string;
  /** Which error of the action is about it, and what to show for it. */
  mismatch: { path: string; message: string };
  button: string;
  remove: (state: FormState, form: FormData) => Promise<FormState>;
  /** What is deleted. */
  children?: ReactNode;
};

/** Deletes something for good after its name has been typed. */
export function ConfirmDeletionForm({ confirmation, mismatch, button, remove, children }: Props) {
  const [state, action, isPending] = useSubmission(remove, freshState({ confirmation: '' }));
  return (
    <Form action={action} state={state} className="flex flex-col items-start gap-3">
      {children}
      <TextField
        name="confirmation"
        label={`Type “${confirmation}” to confirm`}
        autoComplete="off"
        required
        defaultValue={state.values.confirmation}
        error={state.errors[mismatch.path] && mismatch.message}
        className="w-full max-w-md"
      />
      <SubmitButton tone="danger" size="large" isPending={isPending}>
        {button}
      </SubmitButton>
    </Form>
  );
}
