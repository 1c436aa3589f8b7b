'use client';

import { useEffect } from 'react';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { Section } from '@/components/ui/section';
import { showToast } from '@/components/ui/toasts/toast';
import type { Incident } from '@/lib/schemas/incidents/incident';
import type { IncidentTemplate } from '@/lib/schemas/incidents/incident-template';
import { type Audience, EmailNote } from './shown-on';
import { UpdateFields } from './update-fields';

/** The form and the number of updates it has sent. */
export type UpdateState = FormState & { sent: number; wasScheduled: boolean };

type Props = {
  post: (state: UpdateState, form: FormData) => Promise<UpdateState>;
  current: Incident['status'];
  /** The quiet time that is set. */
  resolveAfterMinutes: number | null;
  /** What is said about resolving it while its monitors are failing; null: they are not. */
  failing: string | null;
  audience: Audience;
  templates: readonly IncidentTemplate[];
};

/** Posts an update and changes the status. */
export function UpdateForm({ post, current, resolveAfterMinutes, failing, audience, templates }: Props) {
  const [state, action, isPending] = useSubmission(post, {
    ...freshState({ resolveAfterMinutes: String(resolveAfterMinutes ?? '') }),
    sent: 0,
    wasScheduled: false,
  });
  const { sent, wasScheduled } = state;

  useEffect(() => {
    if (sent > 0) showToast(wasScheduled ? 'Update scheduled' : 'Update posted');
  }, [sent, wasScheduled]);

  return (
    <Section title="Post an update">
      <GuardedForm
        action={action}
        state={state}
        together={[['status', 'resolveAfterMinutes']]}
        className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4"
      >
        {/* Remounted, and therefore empty, after each update. */}
        <UpdateFields key={sent} state={state} current={current} failing={failing} templates={templates} />
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
