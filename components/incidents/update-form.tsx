'use client';

import { useActionState, useEffect } from 'react';
import { SelectField, TextArea } from '@/components/ui/forms/field';
import { SubmitButton, useTyped } from '@/components/ui/forms/form';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { Section } from '@/components/ui/section';
import { showToast } from '@/components/ui/toasts/toast';
import type { Incident } from '@/lib/schemas/incidents/incident';
import { INCIDENT_STATUSES } from '@/lib/schemas/incidents/incident-statuses';
import type { IncidentTemplate } from '@/lib/schemas/incidents/incident-template';
import { STATUS_LABELS } from './incident-texts';
import { type Audience, EmailNote } from './shown-on';
import { TemplateField } from './template-field';

/** The form and the number of updates it has sent. */
export type UpdateState = FormState & { sent: number };

type Props = {
  post: (state: UpdateState, form: FormData) => Promise<UpdateState>;
  current: Incident['status'];
  audience: Audience;
  templates: readonly IncidentTemplate[];
};

/** Posts an update and changes the status. */
export function UpdateForm({ post, current, audience, templates }: Props) {
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
        <Fields key={sent} state={state} current={current} templates={templates} />
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

type FieldsProps = { state: FormState } & Pick<Props, 'current' | 'templates'>;

function Fields({ state, current, templates }: FieldsProps) {
  const { message = '', status = current } = state.values;
  const { typed, setTyped, bind } = useTyped<Record<string, string>>({ message, status }, state.errors);
  return (
    <>
      <TemplateField
        templates={templates}
        onChoose={({ message, status }) => setTyped({ message, status })}
      />
      <TextArea
        {...bind('message')}
        label="Message"
        required
        placeholder="What you know, what you're doing, and when you'll post the next update."
        className="[&_textarea]:font-sans"
      />
      <SelectField
        {...bind('status')}
        label="Status"
        options={INCIDENT_STATUSES.map((value) => ({
          value,
          label: value === current ? `${STATUS_LABELS[value]} (no change)` : STATUS_LABELS[value],
        }))}
        hint={
          current === 'resolved' && typed.status !== 'resolved' ? 'This reopens the incident.' : undefined
        }
        className="sm:w-56"
      />
    </>
  );
}
