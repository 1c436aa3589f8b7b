'use client';

import { type ComponentProps, type ReactNode, startTransition, useActionState, useState } from 'react';
import { Button } from './button';
import { ConfirmDialog } from './confirm-dialog';

type Props = Pick<ComponentProps<typeof ConfirmDialog>, 'title' | 'description' | 'confirm'> & {
  children: ReactNode;
  icon?: ReactNode;
  /** Accessible name where the visible text is ambiguous, as in a table row. */
  label?: string;
  tone?: 'danger' | 'quiet';
  /** Returns an error message, or null on success. */
  action: () => Promise<string | null>;
};

/** A button that asks for confirmation; the dialog closes once the action succeeded. */
export function ConfirmButton({ children, icon, label, tone = 'danger', action, ...texts }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [problem, run, isPending] = useActionState(async () => {
    const error = await action();
    if (error === null) setOpen(false);
    return error;
  }, null);
  return (
    <ConfirmDialog
      {...texts}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button tone={tone} icon={icon} aria-label={label}>
          {children}
        </Button>
      }
      action={() => startTransition(run)}
      isPending={isPending}
      problem={problem}
    />
  );
}
