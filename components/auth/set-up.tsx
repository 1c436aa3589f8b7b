'use client';

import Link from 'next/link';
import { useActionState, useEffect, useRef } from 'react';
import { curlCreateMonitor } from '@/components/monitors/curl-commands';
import { Banner } from '@/components/ui/banner';
import { buttonLook } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/code-block';
import { SelectField, TextField } from '@/components/ui/forms/field';
import { Form, SubmitButton } from '@/components/ui/forms/form';
import { type FormState, freshState } from '@/components/ui/forms/form-state';

/** The API key created with an account; it is shown only once. */
type CreatedKey = { apiKey: string; baseUrl: string };

export type SetUpState = FormState & { created?: CreatedKey };

const PLANS = [
  { value: 'free', label: 'Free: 50 monitors, 2 regions' },
  { value: 'pro', label: 'Pro: 1,000 monitors, all regions' },
  { value: 'enterprise', label: 'Enterprise: no limits' },
];

type Props = {
  setUp: (state: SetUpState, form: FormData) => Promise<SetUpState>;
  token: string;
  defaultPlan: string;
  /** False once there is an organization. */
  isOpen: boolean;
};

/** The setup form, replaced by the API key once setup is complete. */
export function SetUp({ setUp, token, defaultPlan, isOpen }: Props) {
  const [state, action, isPending] = useActionState<SetUpState, FormData>(
    setUp,
    freshState({ plan: defaultPlan, token }),
  );
  if (state.created) return <NewKey {...state.created} />;
  if (!isOpen) {
    return (
      <Link prefetch={false} href="/monitors" className={buttonLook({ tone: 'primary', size: 'large' })}>
        Go to monitors
      </Link>
    );
  }
  return <SetUpForm {...{ state, action, isPending }} />;
}

type SetUpFormProps = { state: SetUpState; action: (form: FormData) => void; isPending: boolean };

function SetUpForm({ state, action, isPending }: SetUpFormProps) {
  const { values, errors, attempt } = state;
  return (
    <Form action={action} state={state} className="flex flex-col gap-4">
      <input type="hidden" name="token" value={values.token} />
      <TextField
        name="name"
        label="Organization"
        autoComplete="organization"
        required
        defaultValue={values.name}
        error={errors.name}
      />
      <SelectField
        key={values.plan}
        name="plan"
        label="Plan"
        options={PLANS}
        defaultValue={values.plan}
        error={errors.plan}
        hint="Sets the limits of this organization. You can change it later on the command line."
      />
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        required
        defaultValue={values.email}
        error={errors.email}
      />
      <TextField
        key={attempt}
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        required
        error={errors.password}
        hint="At least 8 characters."
      />
      <SubmitButton tone="primary" size="large" isPending={isPending}>
        Set up
      </SubmitButton>
    </Form>
  );
}

/** The first API key, with an example of how to use it. */
export function NewKey({ apiKey, baseUrl }: CreatedKey) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="flex flex-col gap-5">
      <h2 ref={heading} tabIndex={-1} className="text-base font-semibold outline-none">
        Your API key
      </h2>
      <Banner tone="slow">Copy it now. You won’t be able to see it again.</Banner>
      <CodeBlock text={apiKey} label="Copy the API key" />
      <div className="flex flex-col gap-2">
        <p className="text-muted">Create your first monitor with one request:</p>
        <CodeBlock text={curlCreateMonitor(baseUrl, apiKey)} label="Copy the command" />
      </div>
      <Link prefetch={false} href="/monitors" className={buttonLook({ tone: 'primary', size: 'large' })}>
        Go to monitors
      </Link>
    </div>
  );
}
