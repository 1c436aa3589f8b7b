'use client';

import { useActionState } from 'react';
import { ActionForm } from '@/components/ui/forms/action-form';
import { TextField } from '@/components/ui/forms/field';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { REMINDER_MINUTES } from '@/lib/schemas/incidents/reminder-limits';

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  /** The current interval; null: off. */
  minutes: number | null;
};

const { least, most } = REMINDER_MINUTES;

/** Sets how often members are reminded of incidents that nobody has acknowledged. */
export function ReminderForm({ save, minutes }: Props) {
  const submission = useActionState(save, freshState({ reminderMinutes: String(minutes ?? '') }));
  const [state] = submission;
  return (
    <div className="flex flex-col gap-3">
      <ActionForm submission={submission} button="Save" isInline>
        <TextField
          {...fieldOf(state, 'reminderMinutes')}
          label="Minutes between reminders"
          hint={`${least}–${most.toLocaleString('en')}. Leave empty to send no reminders.`}
          type="number"
          inputMode="numeric"
          min={least}
          max={most}
          step={1}
          className="max-w-md flex-1 basis-60"
        />
      </ActionForm>
      <p role="status" className="text-sm text-good empty:sr-only">
        {state.attempt > 0 && !state.message ? 'Saved.' : ''}
      </p>
    </div>
  );
}
