'use client';

import { SelectField } from '@/components/ui/forms/field';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { SavedForm } from './saved-form';

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  isRequired: boolean;
};

const CHOICES = [
  { value: '', label: 'Optional' },
  { value: '0', label: 'Required now' },
  { value: '7', label: 'Required in 7 days' },
  { value: '14', label: 'Required in 14 days' },
  { value: '30', label: 'Required in 30 days' },
];

/** Sets from when members need a second factor. */
export function FactorRequirementForm({ save, isRequired }: Props) {
  const submission = useSubmission(save, freshState({ graceDays: isRequired ? '0' : '' }));
  return (
    <SavedForm submission={submission} button="Save">
      <SelectField
        {...fieldOf(submission[0], 'graceDays')}
        label="Second factor of members"
        options={CHOICES}
        className="max-w-md flex-1 basis-60"
      />
    </SavedForm>
  );
}
