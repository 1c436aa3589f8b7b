'use client';

import { useActionState } from 'react';
import { ActionForm } from '@/components/ui/forms/action-form';
import { TextField } from '@/components/ui/forms/field';
import { type FormState, freshState } from '@/components/ui/forms/form-state';

type Save = (state: FormState, form: FormData) => Promise<FormState>;

type Props = { verify: Save; callbackUrl: string; button: string };

/** Asks for the second factor. */
export function FactorForm({ verify, callbackUrl, button }: Props) {
  const submission = useActionState(verify, freshState());
  return (
    <ActionForm submission={submission} button={button}>
      <input type="hidden" name="callbackUrl" value={callbackUrl} />
      <CodeField state={submission[0]} isFocused />
    </ActionForm>
  );
}

const ANY_CODE = 'From your authenticator app, or one of your recovery codes.';

type CodeFieldProps = { state: FormState; isFocused?: boolean; hint?: string };

/** A code of an authenticator app, or a recovery code; emptied by each attempt. */
export function CodeField({ state, isFocused = false, hint = ANY_CODE }: CodeFieldProps) {
  return (
    <TextField
      key={state.attempt}
      name="code"
      label="Code"
      autoComplete="one-time-code"
      isCode
      required
      maxLength={40}
      autoFocus={isFocused}
      error={state.errors.code}
      hint={hint}
    />
  );
}
