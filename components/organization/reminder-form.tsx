'use client';

import { TextField } from '@/components/ui/forms/field';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { REMINDER_MINUTES } from '@/lib/schemas/incidents/reminder-limits';
import { SavedForm } from './saved-form';

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  /** The current interval; null: off. */
  minutes: number | null;
};

const { least, most } = REMINDER_MINUTES;

/** Sets how often members are reminded of incidents that nobody has acknowledged. */
export function ReminderForm({ save, minutes }: Props) {
  const submission = useSubmission(save, freshState({ reminderMinutes: String(minutes ?? '') }));
  const [state] = submission;
  return (
    <SavedForm submission={submission} button="Save">
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
    </SavedForm>
  );
}
