'use client';

import { useState } from 'react';
import { SelectField, TextArea, TextField } from '@/components/ui/forms/field';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { CORRECTION_CHOICES } from './correction-texts';

type Props = { save: (state: FormState, form: FormData) => Promise<FormState> };

/** The form of a new correction; the fields are empty again once it is created. */
export function CorrectionForm({ save }: Props) {
  const [created, setCreated] = useState(0);
  const [state, action, isPending] = useSubmission(async (previous: FormState, form: FormData) => {
    const next = await save(previous, form);
    if (next.attempt === 0) setCreated((count) => count + 1);
    return next;
  }, freshState());
  const { values } = state;
  return (
    <GuardedForm
      key={created}
      action={action}
      state={state}
      together={[['from', 'to']]}
      className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-3"
    >
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <TextField {...fieldOf(state, 'from')} label="From (UTC)" type="datetime-local" step={1} required />
        <TextField {...fieldOf(state, 'to')} label="To (UTC)" type="datetime-local" step={1} required />
        <SelectField
          {...fieldOf(state, 'state')}
          label="Counts as"
          options={CORRECTION_CHOICES}
          defaultValue={values.state ?? 'operational'}
        />
      </div>
      <TextArea
        {...fieldOf(state, 'reason')}
        label="Reason"
        rows={2}
        required
        hint="For your team and the audit log. It is not public."
        className="[&_textarea]:font-sans"
      />
      <div>
        <SubmitButton tone="primary" isPending={isPending}>
          Add correction
        </SubmitButton>
      </div>
    </GuardedForm>
  );
}
