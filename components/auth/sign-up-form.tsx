'use client';

import Link from 'next/link';
import { useActionState } from 'react';
import { buttonLook } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Form } from '@/components/ui/form';
import { freshState } from '@/components/ui/form-state';
import { SubmitButton } from '@/components/ui/submit-button';
import { NewKey } from './new-key';
import type { SetUpState } from './set-up-form';

type Props = {
  confirm: (state: SetUpState, form: FormData) => Promise<SetUpState>;
  token: string;
  /** Null once the link is used: nothing is left to fill in. */
  email: string | null;
  serviceName: string;
};

/** What an account needs besides its confirmed address, and in its place, once it is made, the first API key. */
export function SignUpForm({ confirm, token, email, serviceName }: Props) {
  const [state, action, isPending] = useActionState(confirm, { ...freshState(), made: null });
  const { attempt, errors, values, made } = state;
  if (made) return <NewKey {...made} serviceName={serviceName} />;
  if (email === null) {
    return (
      <Link prefetch={false} href="/monitors" className={buttonLook({ tone: 'primary', size: 'large' })}>
        Go to monitors
      </Link>
    );
  }
  return (
    <Form action={action} state={state} className="flex flex-col gap-4">
      <input type="hidden" name="token" value={token} />
      {/* For password managers: whose password it is. */}
      <input name="username" autoComplete="username" value={email} readOnly hidden />
      <TextField
        name="name"
        label="Organization"
        autoComplete="organization"
        required
        maxLength={100}
        defaultValue={values.name}
        error={errors.name}
      />
      <TextField
        key={attempt}
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        required
        maxLength={256}
        error={errors.password}
        hint="At least 8 characters."
      />
      <SubmitButton tone="primary" size="large" isPending={isPending}>
        Make the account
      </SubmitButton>
    </Form>
  );
}
