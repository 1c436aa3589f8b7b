'use client';

import { type ReactNode, startTransition } from 'react';
import { ActionForm } from '@/components/ui/forms/action-form';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { FocusedHeading } from '@/components/ui/shown-once';
import { EmailField, HiddenUsername, OrganizationField, PasswordField } from './account-fields';
import { CodeField, codeHint } from './factor-form';
import { type BeginPasskeyUse, PasskeyButton } from './passkey-button';
import { MonitorsLink, NewKey, type SetUpState } from './set-up';

type Props = { signIn: (state: FormState, form: FormData) => Promise<FormState>; callbackUrl: string };

export function SignInForm({ signIn, callbackUrl }: Props) {
  const submission = useSubmission(signIn, freshState());
  const [state] = submission;
  return (
    <ActionForm submission={submission} button="Sign in">
      <input type="hidden" name="callbackUrl" value={callbackUrl} />
      <EmailField state={state} />
      <PasswordField state={state} isCurrent />
    </ActionForm>
  );
}

type SignUpFormProps = {
  confirm: (state: SetUpState, form: FormData) => Promise<SetUpState>;
  token: string;
  /** Null once the link has been used. */
  email: string | null;
};

/** Creates an account for a confirmed address. Replaced by the first API key once that is done. */
export function SignUpForm({ confirm, token, email }: SignUpFormProps) {
  const submission = useSubmission<SetUpState>(confirm, freshState());
  const [state] = submission;
  if (state.created) return <NewKey {...state.created} />;
  if (email === null) return <MonitorsLink />;
  return (
    <ActionForm submission={submission} button="Create account">
      <input type="hidden" name="token" value={token} />
      <HiddenUsername email={email} />
      <OrganizationField state={state} />
      <PasswordField state={state} />
    </ActionForm>
  );
}

/** `sentTo` is the submitted address, whether or not it has an account. */
export type LinkRequestState = FormState & { sentTo?: string };

type LinkRequestFormProps = {
  request: (state: LinkRequestState, form: FormData) => Promise<LinkRequestState>;
  button: string;
  /** Shown once the form was submitted. */
  sent: ReactNode;
};

/** Requests an emailed link. */
export function LinkRequestForm({ request, button, sent }: LinkRequestFormProps) {
  const submission = useSubmission<LinkRequestState>(request, freshState());
  const [state] = submission;
  if (state.sentTo !== undefined) {
    return (
      <div className="flex flex-col gap-2">
        <FocusedHeading level="h2">Check your inbox at {state.sentTo}</FocusedHeading>
        <p className="text-muted">{sent}</p>
      </div>
    );
  }
  return (
    <ActionForm submission={submission} button={button}>
      <EmailField state={state} />
    </ActionForm>
  );
}

type NewPasswordFormProps = {
  email: string;
  /** The person's second factors, one of which is requested; null: they have none. */
  factors: { hasApp: boolean } | null;
  /** Null: they have no passkey, or the service cannot use it. */
  beginPasskey: BeginPasskeyUse | null;
  token: string;
  setPassword: (state: FormState, form: FormData) => Promise<FormState>;
};

/** Sets a new password with an emailed link. */
export function NewPasswordForm({ email, factors, beginPasskey, token, setPassword }: NewPasswordFormProps) {
  const submission = useSubmission(setPassword, freshState());
  const [state, submit, isPending] = submission;
  const submitWith = (passkey: string, element: HTMLFormElement | null) => {
    const form = new FormData(element ?? undefined);
    form.set('passkey', passkey);
    startTransition(() => submit(form));
  };
  return (
    <ActionForm submission={submission} button="Set password">
      <input type="hidden" name="token" value={token} />
      <HiddenUsername email={email} />
      <PasswordField
        state={state}
        label="New password"
        hint="At least 8 characters. You will be signed out everywhere."
      />
      {factors ? <CodeField state={state} hint={codeHint(factors.hasApp)} /> : null}
      {beginPasskey ? (
        <PasskeyButton begin={beginPasskey} use={submitWith} isPending={isPending}>
          Use a passkey instead of a code
        </PasskeyButton>
      ) : null}
    </ActionForm>
  );
}
