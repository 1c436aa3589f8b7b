import { TextField } from '@/components/ui/forms/field';
import { type FormState, fieldOf } from '@/components/ui/forms/form-state';

type FieldProps = { state: FormState };

export function EmailField({ state }: FieldProps) {
  return (
    <TextField
      {...fieldOf(state, 'email')}
      label="Email"
      type="email"
      autoComplete="username"
      required
      maxLength={254}
    />
  );
}

export function OrganizationField({ state }: FieldProps) {
  return (
    <TextField
      {...fieldOf(state, 'name')}
      label="Organization"
      autoComplete="organization"
      required
      maxLength={100}
    />
  );
}

type PasswordFieldProps = FieldProps & { name?: string; label?: string; hint?: string; isCurrent?: boolean };

/** A new password, or the current one; emptied by each attempt. */
export function PasswordField({
  state: { attempt, errors },
  name = 'password',
  label = 'Password',
  isCurrent = false,
  hint = isCurrent ? undefined : 'At least 8 characters.',
}: PasswordFieldProps) {
  return (
    <TextField
      key={attempt}
      name={name}
      label={label}
      type="password"
      autoComplete={isCurrent ? 'current-password' : 'new-password'}
      required
      maxLength={256}
      error={errors[name]}
      hint={hint}
    />
  );
}

/** Identifies the account to password managers. */
export function HiddenUsername({ email }: { email: string }) {
  return <input name="username" autoComplete="username" value={email} readOnly hidden />;
}
