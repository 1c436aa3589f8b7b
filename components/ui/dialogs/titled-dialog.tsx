'use client';

import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { cn } from '../cn';
import { findOpeners, type Openers, ReturnFocus } from './return-focus';

export type TitledDialogProps = {
  title: string;
  /** Keeps it open, such as while it shows what cannot be shown again, if somebody clicks next to it. */
  isKept?: boolean;
  onClose: () => void;
  /** Its greatest width. */
  width?: 'max-w-lg' | 'max-w-2xl';
  /** What opened it; by default, what has the focus when it is mounted, which is before its content. */
  openers?: Openers;
  children: ReactNode;
};

/** A part of the interface over the page, with its title and a button that closes it. */
export function TitledDialog({
  title,
  isKept = false,
  onClose,
  width = 'max-w-lg',
  openers,
  children,
}: TitledDialogProps) {
  const [focused] = useState(findOpeners);
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <Dialog.Content
          aria-describedby={undefined}
          onInteractOutside={(event) => {
            if (isKept) event.preventDefault();
          }}
          className={cn(
            'fixed top-1/2 left-1/2 z-50 flex max-h-[85dvh] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col gap-4 overflow-y-auto rounded-lg border border-line bg-surface p-5 shadow-xl',
            width,
          )}
        >
          <div className="flex items-center justify-between gap-3">
            <Dialog.Title className="text-base font-semibold wrap-anywhere">{title}</Dialog.Title>
            <Dialog.Close
              aria-label="Close"
              className="flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink"
            >
              <X className="size-4" />
            </Dialog.Close>
          </div>
          {children}
          <ReturnFocus openers={openers ?? focused} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
