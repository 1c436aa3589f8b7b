'use client';

import { FormButtons } from '@/components/ui/forms/form';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { useSubmission } from '@/components/ui/forms/use-submission';
import type { Incident } from '@/lib/schemas/incidents/incident';
import { UpdateFields } from './update-fields';

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  initial: FormState['values'];
  current: Incident['status'];
  cancelHref: string;
};

/** Changes an update that is not published yet. */
export function ScheduledForm({ save, initial, current, cancelHref }: Props) {
  const [state, action, isPending] = useSubmission(save, freshState(initial));
  return (
    <GuardedForm
      action={action}
      state={state}
      together={[['status', 'resolveAfterMinutes']]}
      className="flex flex-col gap-5"
    >
      <UpdateFields state={state} current={current} templates={[]} isScheduled />
      <FormButtons cancelHref={cancelHref} isPending={isPending}>
        Save changes
      </FormButtons>
    </GuardedForm>
  );
}
