import { type FormEvent, useRef, useState } from 'react';
import { FieldNotes, SelectField, TextField } from '@/components/ui/forms/field';
import { AUTHENTICATION_INPUTS, readAuthentication, showAuthentication } from './typed-authentication';

type Props = {
  name: string;
  label: string;
  hint?: string;
  /** The initial value. */
  value: string;
  /** By path, such as `authentication.password`. */
  errors: Record<string, string>;
};

const METHODS = [
  { value: '', label: 'None' },
  { value: 'basic', label: 'Basic' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'digest', label: 'Digest' },
  { value: 'oauth2', label: 'OAuth 2.0 client credentials' },
];

/** Edits how requests are authenticated. One hidden field has the value, which the form submits and everything else reads. */
export function AuthenticationEditor({ name, label, hint, value, errors }: Props) {
  const [typed, setTyped] = useState(() => readAuthentication(value));
  const field = useRef<HTMLInputElement>(null);
  const inputs = AUTHENTICATION_INPUTS[typed.method ?? ''] ?? [];
  /** Sets the value before the form reads it, which it does when the event arrives there. */
  const change = (part: string) => (event: FormEvent<HTMLInputElement | HTMLSelectElement>) => {
    const next = { ...typed, [part]: event.currentTarget.value };
    if (field.current) field.current.value = showAuthentication(next);
    setTyped(next);
  };
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="sr-only">{label}</legend>
      {/* Not a default value, which React would restore at the next render: hidden fields have no other one. */}
      <input ref={field} type="hidden" name={name} value={showAuthentication(typed)} readOnly />
      <SelectField
        name={`${name}.method`}
        label={label}
        options={METHODS}
        defaultValue={typed.method ?? ''}
        onInput={change('method')}
        className="sm:max-w-md"
      />
      {inputs.length === 0 ? null : (
        <div className="grid gap-4 sm:grid-cols-2">
          {inputs.map((input) => (
            <TextField
              key={input.part}
              name={`${name}.${input.part}`}
              label={input.label}
              placeholder={input.placeholder}
              hint={input.hint}
              type={input.isSecret ? 'password' : undefined}
              autoComplete={input.isSecret ? 'new-password' : 'off'}
              defaultValue={typed[input.part] ?? ''}
              error={errors[`${name}.${input.part}`]}
              onInput={change(input.part)}
              isCode
            />
          ))}
        </div>
      )}
      <FieldNotes
        name={name}
        label={label}
        hint={inputs.length > 0 ? hint : undefined}
        error={errors[name]}
      />
    </fieldset>
  );
}
