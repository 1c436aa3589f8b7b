import { TextField } from '@/components/ui/forms/field';
import { type FormState, fieldOf } from '@/components/ui/forms/form-state';
import { HIDDEN } from '@/lib/schemas/hidden';
import { credentialsOf } from '@/lib/schemas/webhooks/credentials';
import { CREDENTIAL_TEXTS, TOKEN_TEXTS } from './delivery-texts';

const KEPT = `${HIDDEN} keeps the stored value.`;

/** The credentials that a format has. What is stored is not shown. */
export function CredentialFields({ state, format }: { state: FormState; format: string }) {
  return credentialsOf(format).map(({ name, isRequired }) => {
    const { label, hint } = (name === 'token' ? TOKEN_TEXTS[format] : null) ?? CREDENTIAL_TEXTS[name];
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
