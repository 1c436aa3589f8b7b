'use client';

import { useActionState } from 'react';
import { TextField } from '@/components/ui/field';
import { Form } from '@/components/ui/form';
import { type FormState, freshState } from '@/components/ui/form-state';
import { SubmitButton } from '@/components/ui/submit-button';

type Props = {
  email: string;
  token: string;
  setPassword: (state: FormState, form: FormData) => Promise<FormState>;
};

/** Sets a new password by a link. */
export function NewPasswordForm({ email, token, setPassword }: Props) {
  const [state, action, isPending] = useActionState(setPassword, freshState());
  return (
    <Form action={action} state={state} className="flex flex-col gap-4">
      <input type="hidden" name="token" value={token} />
      {/* For password managers: whose password it is. */}
      <input name="username" autoComplete="username" value={email} readOnly hidden />
      <TextField
        key={state.attempt}
        name="password"
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        maxLength={256}
        error={state.errors.password}
        hint="At least 8 characters. All your sessions end."
      />
      <SubmitButton tone="primary" size="large" isPending={isPending}>
        Set password
      </SubmitButton>
    </Form>
  );
}
