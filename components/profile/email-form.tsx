'use client';

import { useActionState } from 'react';
import { CheckField } from '@/components/ui/forms/field';
import { Form, SubmitButton } from '@/components/ui/forms/form';
import { freshState } from '@/components/ui/forms/form-state';
import { Saved, type SavedState } from './section';

type Props = {
  alertMail: boolean;
  save: (state: SavedState, form: FormData) => Promise<SavedState>;
  isMailOn: boolean;
};

/** What the person receives by email from the organization. */
export function EmailForm({ alertMail, isMailOn, save }: Props) {
  const [state, action, isPending] = useActionState<SavedState, FormData>(save, freshState());
  return (
    <Form action={action} state={state} className="flex max-w-md flex-col gap-4">
      <CheckField
        name="alertMail"
        label="Alerts"
        hint={
          isMailOn
            ? 'When a monitor goes down or recovers, with the reminders of the organization, or a webhook endpoint is disabled.'
            : 'Your choice applies once this service can send email.'
        }
        defaultChecked={alertMail}
      />
      <div className="flex items-center gap-3">
        <SubmitButton tone="primary" isPending={isPending}>
          Save
        </SubmitButton>
        <Saved text={isPending ? undefined : state.saved} />
      </div>
    </Form>
  );
}
