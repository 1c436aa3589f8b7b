import { TextField } from '@/components/ui/forms/field';
import { type FormState, fieldOf } from '@/components/ui/forms/form-state';
import { HIDDEN } from '@/lib/schemas/hidden';

const KEPT = `${HIDDEN} keeps the stored value.`;

/** A credential of a format. */
export type CredentialChoice = { name: string; label: string; hint: string; isRequired: boolean };

type Props = { state: FormState; format: string; credentials: readonly CredentialChoice[] };

/** The credentials that a format has. What is stored is not shown. */
export function CredentialFields({ state, format, credentials }: Props) {
  return credentials.map(({ name, label, hint, isRequired }) => {
    const field = fieldOf(state, `credentials.${name}`);
    return (
      <TextField
        key={`${format}.${name}`}
        {...field}
        label={label}
        required={isRequired}
        isCode
        autoComplete="off"
        maxLength={200}
        hint={field.defaultValue === HIDDEN ? KEPT : hint}
      />
    );
  });
}
