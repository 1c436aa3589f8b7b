'use client';

import { startTransition } from 'react';
import { ActionForm } from '@/components/ui/forms/action-form';
import { TextField } from '@/components/ui/forms/field';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { type BeginPasskeyUse, PasskeyButton } from './passkey-button';
import { formOf } from './passkey-sign-in';
import { OrDivider } from './provider-buttons';

type Save = (state: FormState, form: FormData) => Promise<FormState>;

type Props = {
  verify: Save;
  /** Null: the person has no passkey, or the service cannot use it. */
  beginPasskey: BeginPasskeyUse | null;
  /** Whether the person has an authenticator app, or only recovery codes. */
  hasApp: boolean;
  callbackUrl: string;
  button: string;
};

/** Asks for the second factor. */
export function FactorForm({ verify, beginPasskey, hasApp, callbackUrl, button }: Props) {
  const submission = useSubmission(verify, freshState());
  const [state, submit, isPending] = submission;
  const use = (passkey: string) => startTransition(() => submit(formOf({ callbackUrl, passkey })));
  return (
    <>
      {beginPasskey ? (
        <>
          <PasskeyButton begin={beginPasskey} use={use} isPending={isPending} tone="primary">
            Use a passkey
          </PasskeyButton>
          <OrDivider />
        </>
      ) : null}
      <ActionForm submission={submission} button={button} tone={beginPasskey ? 'quiet' : 'primary'}>
        <input type="hidden" name="callbackUrl" value={callbackUrl} />
        <CodeField state={state} isFocused={!beginPasskey} hint={codeHint(hasApp)} />
      </ActionForm>
    </>
  );
}

/** Where a person finds their codes. */
export function codeHint(hasApp: boolean): string {
  return hasApp
    ? 'From your authenticator app, or one of your recovery codes.'
    : 'One of your recovery codes.';
}

type CodeFieldProps = { state: FormState; isFocused?: boolean; hint: string };

/** A code of an authenticator app, or a recovery code; emptied by each attempt. */
export function CodeField({ state, isFocused = false, hint }: CodeFieldProps) {
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
