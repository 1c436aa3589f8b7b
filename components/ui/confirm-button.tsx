'use client';

import { lazy, type ReactNode, Suspense, startTransition, useActionState, useState } from 'react';
import { Button } from './button';
import type { ConfirmDialogProps } from './confirm-dialog';

const load = () => import('./confirm-dialog').then(({ ConfirmDialog }) => ({ default: ConfirmDialog }));
const Dialog = lazy(load);

type Props = Pick<ConfirmDialogProps, 'title' | 'description' | 'confirm'> & {
  children: ReactNode;
  icon?: ReactNode;
  /** Accessible name where the visible text is ambiguous, as in a table row. */
  label?: string;
  tone?: 'danger' | 'quiet';
  /** Returns an error message, or null on success. */
  action: () => Promise<string | null>;
};

/** A button that asks for confirmation; the dialog closes once the action succeeded, and is loaded when it is first needed. */
export function ConfirmButton({ children, icon, label, tone = 'danger', action, ...texts }: Props) {
  const [isUsed, setUsed] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [problem, run, isPending] = useActionState(async () => {
    const error = await action();
    if (error === null) setOpen(false);
    return error;
  }, null);
  const look = { tone, icon, 'aria-label': label, children };
  const open = () => {
    setUsed(true);
    setOpen(true);
  };
  const button = (
    <Button {...look} aria-haspopup="dialog" onPointerEnter={load} onFocus={load} onClick={open} />
  );
  if (!isUsed) return button;
  return (
    <Suspense fallback={button}>
      <Dialog
        {...texts}
        open={isOpen}
        onOpenChange={setOpen}
        trigger={<Button {...look} />}
        action={() => startTransition(run)}
        isPending={isPending}
        problem={problem}
      />
    </Suspense>
  );
}
