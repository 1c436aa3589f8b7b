'use client';

import { useActionState } from 'react';
import { TextField } from '@/components/ui/field';
import { Form } from '@/components/ui/form';
import { freshState } from '@/components/ui/form-state';
import { SubmitButton } from '@/components/ui/submit-button';
import { Saved, type SavedState } from './saved';

type Props = { email: string; change: (state: SavedState, form: FormData) => Promise<SavedState> };

/** Changes the password; needs the current one. */
export function PasswordForm({ email, change }: Props) {
  const [state, action, isPending] = useActionState(change, { ...freshState(), saved: null });
  const { attempt, errors } = state;
  return (
    <Form action={action} state={state} className="flex max-w-md flex-col gap-4">
      {/* For password managers: whose password it is. */}
      <input name="username" autoComplete="username" value={email} readOnly hidden />
      <TextField
        key={`current-${attempt}`}
        name="currentPassword"
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={256}
        error={errors.currentPassword}
      />
      <TextField
        key={`new-${attempt}`}
        name="newPassword"
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        maxLength={256}
        error={errors.newPassword}
        hint="At least 8 characters."
      />
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton tone="primary" isPending={isPending}>
          Change password
        </SubmitButton>
        <Saved text={isPending ? null : state.saved} />
      </div>
    </Form>
  );
}
