'use client';

import { useActionState } from 'react';
import type { ActionProblem } from '@/components/ui/action-result';
import { SubmitButton } from '@/components/ui/forms/form';
import { ProblemAlert } from '@/components/ui/problem-alert';
import type { AcknowledgeLink } from '@/lib/schemas/incidents/acknowledge-link';

type Props = {
  acknowledge: (problem: ActionProblem, form: FormData) => Promise<ActionProblem>;
  link: AcknowledgeLink;
};

/** The button that acknowledges the incidents of a link. */
export function AcknowledgeForm({ acknowledge, link }: Props) {
  const [problem, action, isPending] = useActionState(acknowledge, null);
  return (
    <form action={action} className="flex flex-col gap-4">
      <ProblemAlert problem={problem} />
      {Object.entries(link).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SubmitButton tone="primary" size="large" isPending={isPending}>
        Acknowledge
      </SubmitButton>
    </form>
  );
}
