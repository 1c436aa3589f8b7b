'use client';

import { useActionState } from 'react';
import type { ActionProblem } from '@/components/ui/action-result';
import { SubmitButton } from '@/components/ui/forms/form';
import { ProblemAlert } from '@/components/ui/problem-alert';
import type { MemberLink } from '@/lib/schemas/people';

type Props = {
  unsubscribe: (problem: ActionProblem, form: FormData) => Promise<ActionProblem>;
  link: MemberLink;
  label: string;
};

/** The button that turns off what a link in an email is about. */
export function Unsubscribe({ unsubscribe, link, label }: Props) {
  const [problem, action, isPending] = useActionState(unsubscribe, null);
  return (
    <form action={action} className="flex flex-col gap-4">
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
