'use client';

import { useActionState } from 'react';
import { TextField } from '@/components/ui/field';
import { Form } from '@/components/ui/form';
import { type FormState, freshState } from '@/components/ui/form-state';
import { SubmitButton } from '@/components/ui/submit-button';

type Props = { signIn: (state: FormState, form: FormData) => Promise<FormState>; callbackUrl: string };

export function SignInForm({ signIn, callbackUrl }: Props) {
  const [state, action, isPending] = useActionState(signIn, freshState());
  return (
    <Form action={action} state={state} className="flex flex-col gap-4">
      <input type="hidden" name="callbackUrl" value={callbackUrl} />
      <TextField
        name="email"
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        maxLength={254}
        defaultValue={state.values.email}
        error={state.errors.email}
      />
      <TextField
        key={state.attempt}
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={256}
        error={state.errors.password}
      />
      <SubmitButton tone="primary" size="large" isPending={isPending}>
        Sign in
      </SubmitButton>
    </Form>
  );
}
