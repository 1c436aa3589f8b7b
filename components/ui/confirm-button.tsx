'use client';

import { lazy, type ReactNode, Suspense, startTransition, useActionState, useState } from 'react';
import { Button } from './button';
import type { ConfirmDialogProps } from './confirm-dialog';

const load = () => import('./confirm-dialog').then(({ ConfirmDialog }) => ({ default: ConfirmDialog }));
const Dialog = lazy(load);

/** Returns an error message, or null on success. */
type Action = () => Promise<string | null>;

type Props = Pick<ConfirmDialogProps, 'title' | 'description' | 'confirm' | 'cancel' | 'isMild'> & {
  children: ReactNode;
  icon?: ReactNode;
  /** Accessible name where the visible text is ambiguous, as in a table row. */
  label?: string;
  tone?: 'danger' | 'quiet';
  action: Action;
  /** Another way to go on, besides confirming. */
  alternative?: { label: string; action: Action };
};

/** A button that asks for confirmation; the dialog closes once the action succeeded, and is loaded when it is first needed. */
export function ConfirmButton({ children, icon, label, tone = 'danger', ...dialog }: Props) {
  const { action, alternative, ...texts } = dialog;
  const [isUsed, setUsed] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [problem, run, isPending] = useActionState(async (_: string | null, chosen: Action) => {
    const error = await chosen();
    if (error === null) setOpen(false);
    return error;
  }, null);
  const start = (chosen: Action) => startTransition(() => run(chosen));
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
        action={() => start(action)}
        alternative={alternative && { ...alternative, action: () => start(alternative.action) }}
        isPending={isPending}
        problem={problem}
      />
    </Suspense>
  );
}
