'use client';

import { useActionState } from 'react';
import { TextField } from '@/components/ui/forms/field';
import { Form, SubmitButton } from '@/components/ui/forms/form';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { ProblemAlert } from '@/components/ui/problem-alert';

/** Accepts an invitation for a visitor who is signed in with the invited address. */
export function AcceptInvitation({
  accept,
  organizationName,
}: {
  accept: () => Promise<string | null>;
  organizationName: string;
}) {
  const [problem, action, isPending] = useActionState(accept, null);
  return (
    <form action={action} className="flex flex-col gap-4">
      <ProblemAlert problem={problem} />
      <SubmitButton tone="primary" size="large" isPending={isPending}>
        <span className="truncate">Join {organizationName}</span>
      </SubmitButton>
    </form>
  );
}

/** Accepts an invitation for a visitor without an account: choosing a password creates one. */
export function JoinForm({
  join,
  email,
}: {
  join: (state: FormState, form: FormData) => Promise<FormState>;
  email: string;
}) {
  const [state, action, isPending] = useActionState(join, freshState());
  return (
    <Form action={action} state={state} className="flex flex-col gap-4">
      <TextField name="email" label="Email" type="email" autoComplete="username" readOnly value={email} />
      <TextField
        key={state.attempt}
        name="password"
        label="Choose a password"
        type="password"
        autoComplete="new-password"
        required
        error={state.errors.password}
        hint="At least 8 characters."
      />
      <SubmitButton tone="primary" size="large" isPending={isPending}>
        Create account and join
      </SubmitButton>
    </Form>
  );
}
