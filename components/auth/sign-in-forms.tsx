'use client';

import Link from 'next/link';
import { type ReactNode, useActionState, useEffect, useRef } from 'react';
import { buttonLook } from '@/components/ui/button';
import { TextField } from '@/components/ui/forms/field';
import { Form, SubmitButton } from '@/components/ui/forms/form';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { NewKey, type SetUpState } from './set-up';

type Props = { signIn: (state: FormState, form: FormData) => Promise<FormState>; callbackUrl: string };

export function SignInForm({ signIn, callbackUrl }: Props) {
  const [state, action, isPending] = useActionState(signIn, freshState());
  return (
    <Form action={action} state={state} className="flex flex-col gap-4">
      <input type="hidden" name="callbackUrl" value={callbackUrl} />
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        required
        maxLength={254}
        defaultValue={state.values.email}
        error={state.errors.email}
      />
      <TextField
        key={state.attempt}
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={256}
        error={state.errors.password}
      />
      <SubmitButton tone="primary" size="large" isPending={isPending}>
        Sign in
      </SubmitButton>
    </Form>
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
  const [state, action, isPending] = useActionState<SetUpState, FormData>(confirm, freshState());
  const { attempt, errors, values, created } = state;
  if (created) return <NewKey {...created} />;
  if (email === null) {
    return (
      <Link prefetch={false} href="/monitors" className={buttonLook({ tone: 'primary', size: 'large' })}>
        Go to monitors
      </Link>
    );
  }
  return (
    <Form action={action} state={state} className="flex flex-col gap-4">
      <input type="hidden" name="token" value={token} />
      {/* Tells password managers which account it is. */}
      <input name="username" autoComplete="username" value={email} readOnly hidden />
      <TextField
        name="name"
        label="Organization"
        autoComplete="organization"
        required
        maxLength={100}
        defaultValue={values.name}
        error={errors.name}
      />
      <TextField
        key={attempt}
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        required
        maxLength={256}
        error={errors.password}
        hint="At least 8 characters."
      />
      <SubmitButton tone="primary" size="large" isPending={isPending}>
        Create account
      </SubmitButton>
    </Form>
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
  const [state, action, isPending] = useActionState<LinkRequestState, FormData>(request, freshState());
  if (state.sentTo !== undefined) return <Sent address={state.sentTo}>{sent}</Sent>;
  return (
    <Form action={action} state={state} className="flex flex-col gap-4">
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        required
        maxLength={254}
        defaultValue={state.values.email}
        error={state.errors.email}
      />
      <SubmitButton tone="primary" size="large" isPending={isPending}>
        {button}
      </SubmitButton>
    </Form>
  );
}

function Sent({ address, children }: { address: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="flex flex-col gap-2">
      <h2 ref={heading} tabIndex={-1} className="text-base font-semibold wrap-anywhere outline-none">
        Check your inbox at {address}
      </h2>
      <p className="text-muted">{children}</p>
    </div>
  );
}

type NewPasswordFormProps = {
  email: string;
  token: string;
  setPassword: (state: FormState, form: FormData) => Promise<FormState>;
};

/** Sets a new password with an emailed link. */
export function NewPasswordForm({ email, token, setPassword }: NewPasswordFormProps) {
  const [state, action, isPending] = useActionState(setPassword, freshState());
  return (
    <Form action={action} state={state} className="flex flex-col gap-4">
      <input type="hidden" name="token" value={token} />
      {/* Tells password managers which account it is. */}
      <input name="username" autoComplete="username" value={email} readOnly hidden />
      <TextField
        key={state.attempt}
        name="password"
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        maxLength={256}
        error={state.errors.password}
        hint="At least 8 characters. You will be signed out everywhere."
      />
      <SubmitButton tone="primary" size="large" isPending={isPending}>
        Set password
      </SubmitButton>
    </Form>
  );
}
