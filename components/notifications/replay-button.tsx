'use client';

import { RotateCw } from 'lucide-react';
import { useActionState } from 'react';
import type { ActionProblem } from '@/components/ui/action-result';
import { SubmitButton } from '@/components/ui/forms/form';
import { ProblemAlert } from '@/components/ui/problem-alert';

type Props = { replay: () => Promise<ActionProblem>; isWaiting: boolean };

/** Requests another attempt now. `isWaiting`: a requested attempt has not started yet. */
export function ReplayButton({ replay, isWaiting }: Props) {
  const [problem, action, isPending] = useActionState(replay, null);
  return (
    <div className="flex flex-col gap-2 sm:items-end">
      <form action={action}>
        <SubmitButton tone="primary" isPending={isPending || isWaiting} icon={<RotateCw />}>
          {isWaiting ? 'Waiting for a worker' : 'Replay'}
        </SubmitButton>
      </form>
      <ProblemAlert problem={problem} />
    </div>
  );
}
