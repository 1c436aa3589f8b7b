'use client';

import { RotateCw } from 'lucide-react';
import { useActionState } from 'react';
import { SubmitButton } from '@/components/ui/forms/form';
import { ProblemAlert } from '@/components/ui/problem-alert';

/** Requests another attempt now. `isWaiting`: a requested attempt has not started yet. */
export function ReplayButton({
  replay,
  isWaiting,
}: {
  replay: () => Promise<string | null>;
  isWaiting: boolean;
}) {
  const [problem, action, isPending] = useActionState(replay, null);
  const isBusy = isPending || isWaiting;
  return (
    <div className="flex flex-col gap-2 sm:items-end">
      <form action={action}>
        <SubmitButton tone="primary" isPending={isBusy}>
          {isBusy ? null : <RotateCw aria-hidden="true" />}
          {isWaiting ? 'Waiting for a worker' : 'Replay'}
        </SubmitButton>
      </form>
      <ProblemAlert problem={problem} />
    </div>
  );
}
