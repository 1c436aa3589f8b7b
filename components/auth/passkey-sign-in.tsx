'use client';

import { startTransition } from 'react';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { ProblemAlert } from '@/components/ui/problem-alert';
import { type BeginPasskeyUse, PasskeyButton } from './passkey-button';

type Props = {
  begin: BeginPasskeyUse;
  signIn: (state: FormState, form: FormData) => Promise<FormState>;
  callbackUrl: string;
};

/** Signs in with a passkey alone. */
export function PasskeySignIn({ begin, signIn, callbackUrl }: Props) {
  const [{ message }, submit, isPending] = useSubmission(signIn, freshState());
  return (
    <div className="flex flex-col gap-4">
      <ProblemAlert problem={isPending ? null : (message?.text ?? null)} />
      <PasskeyButton
        begin={begin}
        isPending={isPending}
        use={(response) => startTransition(() => submit(formOf({ callbackUrl, passkey: response })))}
      >
        Sign in with a passkey
      </PasskeyButton>
    </div>
  );
}

/** A form with these values. */
export function formOf(values: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}
