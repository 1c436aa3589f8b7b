'use client';

import { useActionState } from 'react';
import { TextField } from '@/components/ui/forms/field';
import { Form, SubmitButton } from '@/components/ui/forms/form';
import { type FormState, freshState } from '@/components/ui/forms/form-state';

type Props = { email: string; remove: (state: FormState, form: FormData) => Promise<FormState> };

/** Deletes the account after its address has been typed. */
export function DeleteAccountForm({ email, remove }: Props) {
  const [state, action, isPending] = useActionState(remove, freshState({ confirmation: '' }));
  return (
    <Form action={action} state={state} className="flex flex-col items-start gap-3">
      <p className="max-w-2xl text-muted">
        This permanently deletes your account: sessions, passkeys, linked accounts, and your membership of
        every organization. What you did there stays without your name.
      </p>
      <TextField
        name="confirmation"
        label={`Type “${email}” to confirm`}
        autoComplete="off"
        required
        defaultValue={state.values.confirmation}
        error={state.errors.confirmation && `The address must be “${email}”.`}
        className="w-full max-w-md"
      />
      <SubmitButton tone="danger" size="large" isPending={isPending}>
        Delete my account
      </SubmitButton>
    </Form>
  );
}
