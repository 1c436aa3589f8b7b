'use client';

import { useActionState } from 'react';
import { TextField } from '@/components/ui/field';
import { Form, SubmitButton } from '@/components/ui/form';
import { freshState } from '@/components/ui/form-state';
import { Saved, type SavedState } from './section';

type Props = {
  name: string | null;
  email: string;
  organizationName: string;
  alertMail: boolean;

  save: (state: SavedState, form: FormData) => Promise<SavedState>;
  isMailOn: boolean;
};

/** What a person is called, and what they want to hear of. */
export function ProfileForm({ name, email, organizationName, alertMail, isMailOn, save }: Props) {
  const [state, action, isPending] = useActionState(save, { ...freshState(), saved: null });
  return (
    <Form action={action} state={state} className="flex max-w-md flex-col gap-4">
      <TextField
        name="name"
        label="Name"
        autoComplete="name"
        maxLength={100}
        defaultValue={state.values.name ?? name ?? ''}
        error={state.errors.name}
        hint="How others see you. Empty: your address."
      />
      <div className="flex flex-col gap-1">
        <p className="text-sm font-medium">E-mail</p>
        <p className="wrap-anywhere">{email}</p>
      </div>
      <label className="flex items-start gap-2">
        <input type="checkbox" name="alertMail" defaultChecked={alertMail} className="mt-1 accent-accent" />
        <span className="flex flex-col">
          <span>Mail me the alerts of {organizationName}</span>
          <span className="text-xs text-muted">
            {isMailOn
              ? 'Monitors that go down and come up, webhook endpoints that were disabled.'
              : 'This service sends no e-mail yet; the choice counts once it does.'}
          </span>
        </span>
      </label>
      <div className="flex items-center gap-3">
        <SubmitButton tone="primary" isPending={isPending}>
          Save
        </SubmitButton>
        <Saved text={isPending ? null : state.saved} />
      </div>
    </Form>
  );
}

type PasswordFormProps = {
  email: string;
  change: (state: SavedState, form: FormData) => Promise<SavedState>;
};

/** Changes the password; needs the current one. */
export function PasswordForm({ email, change }: PasswordFormProps) {
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
