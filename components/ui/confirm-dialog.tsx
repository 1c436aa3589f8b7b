'use client';

import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './button';
import { ReturnFocus } from './dialogs/return-focus';
import { SubmitButton } from './forms/submit-button';
import { ProblemAlert } from './problem-alert';

export type ConfirmDialogProps = {
  /** The button that opens it; without one it is opened by `open`. */
  trigger?: ReactNode;
  title: string;
  /** The consequences. */
  description: ReactNode;
  confirm: string;
  /** What the button is called that changes nothing, which has the focus at first. */
  cancel?: string;
  /** Another way to go on, besides confirming. */
  alternative?: { label: string; action: () => void };
  /** Whether confirming is what people usually want: its button has the focus at first and does not warn. */
  isMild?: boolean;
  /** Fields to fill in before confirming. */
  children?: ReactNode;
  action: (form: FormData) => void;
  isPending: boolean;
  /** The error of the last attempt. */
  problem: string | null;
  /** Controls the dialog; not needed if confirming leaves the page. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
};

/** Asks for confirmation before something irreversible. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { trigger, title, description, children, action, problem, open, onOpenChange } = props;
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      {trigger ? <AlertDialog.Trigger asChild>{trigger}</AlertDialog.Trigger> : null}
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <AlertDialog.Content className="fixed top-1/2 left-1/2 z-50 flex w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 flex-col gap-4 rounded-lg border border-line bg-surface p-5 shadow-xl">
          <AlertDialog.Title className="text-base font-semibold break-words">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="flex flex-col gap-2 text-muted">{description}</div>
          </AlertDialog.Description>
          <ProblemAlert problem={problem} />
          <form action={action} className="flex flex-col gap-4">
            {children}
            <Buttons {...props} />
          </form>
          <ReturnFocus />
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

type ButtonsProps = Pick<ConfirmDialogProps, 'cancel' | 'alternative' | 'confirm' | 'isMild' | 'isPending'>;

function Buttons({ cancel = 'Cancel', alternative, confirm, isMild = false, isPending }: ButtonsProps) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <AlertDialog.Cancel asChild>
        <Button>{cancel}</Button>
      </AlertDialog.Cancel>
      {alternative ? (
        <Button disabled={isPending} onClick={alternative.action}>
          {alternative.label}
        </Button>
      ) : null}
      <SubmitButton tone={isMild ? 'primary' : 'danger'} autoFocus={isMild} isPending={isPending}>
        {confirm}
      </SubmitButton>
    </div>
  );
}
