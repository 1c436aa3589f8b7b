'use client';

import { Hand } from 'lucide-react';
import { useActionState } from 'react';
import { useShortcuts } from '@/components/shell/shortcuts/use-shortcuts';
import type { ActionProblem } from '@/components/ui/action-result';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { ProblemAlert } from '@/components/ui/problem-alert';

type Props = {
  isAcknowledged: boolean;
  /** Acknowledges the incident, or undoes that. */
  acknowledge: () => Promise<ActionProblem>;
};

/** Shows others that somebody works on an incident, also by the key A; undone only with the button. */
export function AcknowledgeButton({ isAcknowledged, acknowledge }: Props) {
  const [problem, run, isPending] = useActionState(acknowledge, null);
  useShortcuts({
    a: { label: 'Acknowledge the incident', run: () => isAcknowledged || isPending || submit() },
  });
  return (
    <form id={FORM} action={run} className="flex flex-col gap-2">
      <SubmitButton isPending={isPending} icon={<Hand />} tone={isAcknowledged ? 'quiet' : 'primary'}>
        {isAcknowledged ? 'Undo acknowledgement' : 'Acknowledge'}
      </SubmitButton>
      <ProblemAlert problem={problem} />
    </form>
  );
}

const FORM = 'acknowledge';

function submit(): void {
  const form = document.getElementById(FORM);
  if (form instanceof HTMLFormElement) form.requestSubmit();
}
