'use client';

import { type ReactNode, startTransition, useActionState, useState } from 'react';
import { Button } from './button';
import { ConfirmDialog } from './confirm-dialog';

type Props = {
  /** What the button says; `label` says it in full where that is not enough, as in a row of a table. */
  children: ReactNode;
  label?: string;
  tone?: 'danger' | 'quiet';
  title: string;
  description: ReactNode;
  confirm: string;
  /** Answers what went wrong, or null. */
  action: () => Promise<string | null>;
};

/** A button that asks before it acts, and closes its question once that is done. */
export function ConfirmButton({
  children,
  label,
  tone = 'danger',
  title,
  description,
  confirm,
  action,
}: Props) {
  const [isAsking, setAsking] = useState(false);
  const [problem, run, isPending] = useActionState(async () => {
    const refusal = await action();
    if (refusal === null) setAsking(false);
    return refusal;
  }, null);
  return (
    <ConfirmDialog
      open={isAsking}
      onOpenChange={setAsking}
      trigger={
        <Button tone={tone} aria-label={label}>
          {children}
        </Button>
      }
      title={title}
      description={description}
      confirm={confirm}
      action={() => startTransition(run)}
      isPending={isPending}
      problem={problem}
    />
  );
}
