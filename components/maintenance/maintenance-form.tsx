'use client';

import Link from 'next/link';
import { useActionState } from 'react';
import { buttonLook } from '@/components/ui/button';
import { TextArea, TextField } from '@/components/ui/field';
import { Form } from '@/components/ui/form';
import { type FormState, freshState } from '@/components/ui/form-state';
import { SubmitButton } from '@/components/ui/submit-button';
import { MonitorPicker } from './monitor-picker';
import type { Preview } from './occurrence-preview';
import { ScheduleFields } from './schedule-fields';

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  preview: Preview;
  initial: FormState['values'];
  monitors: readonly { id: string; name: string }[];
  timeZones: readonly string[];
  submitLabel: string;
};

/** The form of a maintenance window, new or not. */
export function MaintenanceForm({ save, preview, initial, monitors, timeZones, submitLabel }: Props) {
  const [state, action, isPending] = useActionState(save, freshState(initial));
  const { values, errors } = state;
  return (
    <Form action={action} state={state} className="flex flex-col gap-5">
      <TextField
        name="title"
        label="Title"
        required
        placeholder="Upgrade of the database"
        defaultValue={values.title}
        error={errors.title}
      />
      <TextArea
        name="message"
        label="Message"
        hint="Shown on status pages. May be empty."
        className="[&_textarea]:font-sans"
        defaultValue={values.message}
        error={errors.message}
      />
      <ScheduleFields values={values} errors={errors} timeZones={timeZones} preview={preview} />
      <MonitorPicker
        monitors={monitors}
        chosen={values.monitors?.split(',').filter((id) => id !== '') ?? []}
        error={errors.monitors}
      />
      <div className="flex justify-end gap-2 border-t border-line pt-4">
        <Link prefetch={false} href="/maintenance" className={buttonLook({ size: 'large' })}>
          Cancel
        </Link>
        <SubmitButton tone="primary" size="large" isPending={isPending}>
          {submitLabel}
        </SubmitButton>
      </div>
    </Form>
  );
}
