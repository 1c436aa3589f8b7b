'use client';

import { HiddenUsername, PasswordField } from '@/components/auth/account-fields';
import { TextField } from '@/components/ui/forms/field';
import { Form } from '@/components/ui/forms/form';
import { freshState } from '@/components/ui/forms/form-state';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { Saved, type SavedState } from './section';

type Props = {
  name: string | null;
  email: string;
  save: (state: SavedState, form: FormData) => Promise<SavedState>;
};

/** The person's name. */
export function ProfileForm({ name, email, save }: Props) {
  const [state, action, isPending] = useSubmission<SavedState>(save, freshState());
  return (
    <Form action={action} state={state} className="flex max-w-md flex-col gap-4">
      <TextField
        name="name"
        label="Name"
        autoComplete="name"
        maxLength={100}
        defaultValue={state.values.name ?? name ?? ''}
        error={state.errors.name}
        hint="Shown to other members. Leave empty to show your email address."
      />
      <div className="flex flex-col gap-1">
        <p className="text-sm font-medium">Email</p>
        <p className="wrap-anywhere">{email}</p>
      </div>
      <div className="flex items-center gap-3">
        <SubmitButton tone="primary" isPending={isPending}>
          Save
        </SubmitButton>
        <Saved text={isPending ? undefined : state.saved} />
      </div>
    </Form>
  );
}

type PasswordFormProps = {
  email: string;
  change: (state: SavedState, form: FormData) => Promise<SavedState>;
};

/** Changes the password; requires the current one. */
export function PasswordForm({ email, change }: PasswordFormProps) {
  const [state, action, isPending] = useSubmission<SavedState>(change, freshState());
  return (
    <Form action={action} state={state} className="flex max-w-md flex-col gap-4">
      <HiddenUsername email={email} />
      <PasswordField state={state} name="currentPassword" label="Current password" isCurrent />
      <PasswordField state={state} name="newPassword" label="New password" />
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton tone="primary" isPending={isPending}>
          Change password
        </SubmitButton>
        <Saved text={isPending ? undefined : state.saved} />
      </div>
    </Form>
  );
}
