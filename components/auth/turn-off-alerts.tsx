'use client';

import { useActionState } from 'react';
import type { ActionProblem } from '@/components/ui/action-result';
import { SubmitButton } from '@/components/ui/forms/form';
import { ProblemAlert } from '@/components/ui/problem-alert';
import type { MemberLink } from '@/lib/schemas/people';

type Props = {
  turnOff: (problem: ActionProblem, form: FormData) => Promise<ActionProblem>;
  link: MemberLink;
};

/** The button that turns off alerts for the member of a link in an email. */
export function TurnOffAlerts({ turnOff, link }: Props) {
  const [problem, action, isPending] = useActionState(turnOff, null);
  return (
    <form action={action} className="flex flex-col gap-4">
      <ProblemAlert problem={problem} />
      {Object.entries(link).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SubmitButton tone="primary" size="large" isPending={isPending}>
        Turn off alert emails
      </SubmitButton>
    </form>
  );
}
