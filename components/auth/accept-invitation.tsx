'use client';

import { useActionState } from 'react';
import type { ActionProblem } from '@/components/ui/action-result';
import { ActionForm } from '@/components/ui/forms/action-form';
import { TextField } from '@/components/ui/forms/field';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { ProblemAlert } from '@/components/ui/problem-alert';
import { PasswordField } from './account-fields';

type AcceptProps = { accept: () => Promise<ActionProblem>; organizationName: string };

/** Accepts an invitation for a visitor who is signed in with the invited address. */
export function AcceptInvitation({ accept, organizationName }: AcceptProps) {
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

type JoinProps = { join: (state: FormState, form: FormData) => Promise<FormState>; email: string };

/** Accepts an invitation for a visitor without an account: choosing a password creates one. */
export function JoinForm({ join, email }: JoinProps) {
  const submission = useSubmission(join, freshState());
  return (
    <ActionForm submission={submission} button="Create account and join">
      <TextField name="email" label="Email" type="email" autoComplete="username" readOnly value={email} />
      <PasswordField state={submission[0]} label="Choose a password" />
    </ActionForm>
  );
}
