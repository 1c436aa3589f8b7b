'use client';

import Link from 'next/link';
import { useActionState, useEffect, useRef } from 'react';
import { curlCreateMonitor } from '@/components/monitors/curl-commands';
import { Banner } from '@/components/ui/banner';
import { buttonLook } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/code-block';
import { SelectField, TextField } from '@/components/ui/field';
import { Form, SubmitButton } from '@/components/ui/form';
import { type FormState, freshState } from '@/components/ui/form-state';

/** What set-up made; the key is shown once and never again. */
export type Made = { apiKey: string; baseUrl: string };

export type SetUpState = FormState & { made: Made | null };

const PLANS = [
  { value: 'free', label: 'Free: 50 monitors, 2 regions' },
  { value: 'pro', label: 'Pro: 1,000 monitors, all regions' },
  { value: 'enterprise', label: 'Enterprise: no limits' },
];

type SetUpFormProps = { state: SetUpState; action: (form: FormData) => void; isPending: boolean };

type Props = {
  setUp: (state: SetUpState, form: FormData) => Promise<SetUpState>;
  token: string;
  defaultPlan: string;
  serviceName: string;
  /** False once there is an organization: nothing is left to fill in. */
  isOpen: boolean;
};

/** The set-up form, and in its place, once it is done, the key. */
export function SetUp({ setUp, token, defaultPlan, serviceName, isOpen }: Props) {
  const [state, action, isPending] = useActionState(setUp, {
    ...freshState({ plan: defaultPlan, token }),
    made: null,
  });
  if (state.made) return <NewKey {...state.made} serviceName={serviceName} />;
  if (!isOpen) {
    return (
      <Link prefetch={false} href="/monitors" className={buttonLook({ tone: 'primary', size: 'large' })}>
        Go to monitors
      </Link>
    );
  }
  return <SetUpForm {...{ state, action, isPending }} />;
}

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
        hint="Limits for this organization; the command line can change it later."
      />
      <TextField
        name="email"
        label="E-mail"
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

/** The end of set-up: the first API key, and what to do with it. */
export function NewKey({ apiKey, baseUrl, serviceName }: Made & { serviceName: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="flex flex-col gap-5">
      <h2 ref={heading} tabIndex={-1} className="text-base font-semibold outline-none">
        Your API key
      </h2>
      <Banner tone="slow">
        Keep it now: {serviceName} stores only a fingerprint of it and cannot show it again.
      </Banner>
      <CodeBlock text={apiKey} label="Copy the API key" />
      <div className="flex flex-col gap-2">
        <p className="text-muted">With it, a first monitor takes one call:</p>
        <CodeBlock text={curlCreateMonitor(baseUrl, apiKey)} label="Copy the command" />
      </div>
      <Link prefetch={false} href="/monitors" className={buttonLook({ tone: 'primary', size: 'large' })}>
        Go to monitors
      </Link>
    </div>
  );
}
