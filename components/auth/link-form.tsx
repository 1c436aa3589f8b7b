'use client';

import { useActionState } from 'react';
import type { ActionProblem } from '@/components/ui/action-result';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { ProblemAlert } from '@/components/ui/problem-alert';

type Props = {
  action: (problem: ActionProblem, form: FormData) => Promise<ActionProblem>;
  /** The query of the link. */
  link: Record<string, string | number>;
  label: string;
};

/** The button that does what a link in an email is for. */
export function LinkForm({ action, link, label }: Props) {
  const [problem, submit, isPending] = useActionState(action, null);
  return (
    <form action={submit} className="flex flex-col gap-4">
      <ProblemAlert problem={problem} />
      {Object.entries(link).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SubmitButton tone="primary" size="large" isPending={isPending}>
        {label}
      </SubmitButton>
    </form>
  );
}
