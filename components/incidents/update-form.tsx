'use client';

import { useActionState, useEffect, useState } from 'react';
import { SelectField, TextArea } from '@/components/ui/forms/field';
import { SubmitButton } from '@/components/ui/forms/form';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { Section } from '@/components/ui/section';
import { showToast } from '@/components/ui/toasts/toast';
import type { Incident } from '@/lib/schemas/incidents/incident';
import { INCIDENT_STATUSES } from '@/lib/schemas/incidents/incident-statuses';
import { STATUS_LABELS } from './incident-texts';
import { type Audience, EmailNote } from './shown-on';

/** The form and the number of updates it has sent. */
export type UpdateState = FormState & { sent: number };

type Props = {
  post: (state: UpdateState, form: FormData) => Promise<UpdateState>;
  current: Incident['status'];
  audience: Audience;
};

/** Posts an update and changes the status. */
export function UpdateForm({ post, current, audience }: Props) {
  const [state, action, isPending] = useActionState(post, { ...freshState(), sent: 0 });
  const { sent } = state;

  useEffect(() => {
    if (sent > 0) showToast('Update posted');
  }, [sent]);

  return (
    <Section title="Post an update">
      <GuardedForm
        action={action}
        state={state}
        className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4"
      >
        {/* Remounted, and therefore empty, after each update. */}
        <Fields key={sent} state={state} current={current} />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <EmailNote audience={audience} />
          <SubmitButton tone="primary" isPending={isPending} className="ml-auto">
            Post update
          </SubmitButton>
        </div>
      </GuardedForm>
    </Section>
  );
}

function Fields({ state, current }: { state: FormState; current: Incident['status'] }) {
  const [chosen, setChosen] = useState(state.values.status);
  const status = chosen ?? current;
  return (
    <>
      <TextArea
        {...fieldOf(state, 'message')}
        label="Message"
        required
        placeholder="What you know, what you're doing, and when you'll post the next update."
        className="[&_textarea]:font-sans"
      />
      <SelectField
        name="status"
        label="Status"
        options={INCIDENT_STATUSES.map((value) => ({
          value,
          label: value === current ? `${STATUS_LABELS[value]} (no change)` : STATUS_LABELS[value],
        }))}
        value={status}
        onChange={(event) => setChosen(event.target.value)}
        hint={current === 'resolved' && status !== 'resolved' ? 'This reopens the incident.' : undefined}
        error={state.errors.status}
        className="sm:w-56"
      />
    </>
  );
}
