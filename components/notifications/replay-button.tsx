'use client';

import { RotateCw } from 'lucide-react';
import { useActionState } from 'react';
import { Banner } from '@/components/ui/banner';
import { SubmitButton } from '@/components/ui/form';

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
      <div role="alert" className="empty:sr-only">
        {problem ? <Banner tone="bad">{problem}</Banner> : null}
      </div>
    </div>
  );
}
