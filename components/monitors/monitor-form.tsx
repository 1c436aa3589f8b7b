'use client';

import Link from 'next/link';
import { useActionState, useState } from 'react';
import { buttonLook } from '@/components/ui/button';
import { SelectField, TextField } from '@/components/ui/field';
import { Form } from '@/components/ui/form';
import { type FormState, freshState } from '@/components/ui/form-state';
import { SubmitButton } from '@/components/ui/submit-button';
import { type FormChoices, TYPE_TEXTS } from './form-choices';
import { MoreOptions } from './more-options';
import { RegionChoice } from './region-choice';
import { TypeChoice } from './type-choice';

type Props = {
  create: (state: FormState, form: FormData) => Promise<FormState>;
  initial: FormState['values'];
  choices: FormChoices;
};

/** The form of a new monitor. */
export function MonitorForm({ create, initial, choices }: Props) {
  const [state, action, isPending] = useActionState(create, freshState(initial));
  const { values, errors } = state;
  const [type, setType] = useState(values.type ?? 'http');
  const texts = TYPE_TEXTS[type];
  return (
    <Form action={action} state={state} className="flex flex-col gap-5">
      <TypeChoice types={choices.types} type={type} onChange={setType} error={errors.type} />
      <TextField
        name="name"
        label="Name"
        required
        placeholder="Checkout API"
        defaultValue={values.name}
        error={errors.name}
      />
      <TextField
        name="url"
        label={texts?.target ?? 'Target'}
        required
        className="[&_input]:font-mono"
        placeholder={texts?.placeholder}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        defaultValue={values.url}
        error={errors.url}
      />
      <div className="grid grid-cols-2 gap-4">
        <SelectField
          name="interval"
          label="Interval"
          options={choices.intervals.map((seconds) => ({
            value: String(seconds),
            label: intervalText(seconds),
          }))}
          defaultValue={values.interval}
          error={errors.interval}
        />
        <TextField
          name="timeout"
          label="Timeout"
          unit="s"
          inputMode="numeric"
          defaultValue={values.timeout}
          error={errors.timeout}
        />
        {type === 'http' ? (
          <>
            <SelectField
              name="method"
              label="Method"
              options={choices.methods.map((method) => ({ value: method, label: method }))}
              defaultValue={values.method}
              error={errors.method}
            />
            <TextField
              name="expectedStatusCode"
              label="Expected status"
              inputMode="numeric"
              defaultValue={values.expectedStatusCode}
              error={errors.expectedStatusCode}
            />
          </>
        ) : null}
        <TextField
          name="alertThreshold"
          label="Alert after"
          unit="×"
          inputMode="numeric"
          hint="Failed checks in a row before it counts as down."
          defaultValue={values.alertThreshold}
          error={errors.alertThreshold}
        />
      </div>
      <RegionChoice
        regions={choices.regions}
        chosen={values.regions?.split(',') ?? []}
        error={errors.regions}
      />
      <MoreOptions isHttp={type === 'http'} values={values} errors={errors} />
      <div className="flex justify-end gap-2 border-t border-line pt-4">
        <Link prefetch={false} href="/monitors" className={buttonLook({ size: 'large' })}>
          Cancel
        </Link>
        <SubmitButton tone="primary" size="large" isPending={isPending}>
          Create monitor
        </SubmitButton>
      </div>
    </Form>
  );
}

function intervalText(seconds: number): string {
  if (seconds < 60) return `${seconds} seconds`;
  return seconds === 60 ? '1 minute' : `${seconds / 60} minutes`;
}
