import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '../cn';

type Props = {
  /** Accessible name. */
  label: string;
  /** The button that opened it and gets the focus back; a press of it closes the panel itself. */
  buttonId: string;
  align: 'start' | 'end';
  onClose: () => void;
  className: string;
  children: ReactNode;
};

/** A panel next to its button, which comes before it in a positioned element. Loaded on demand, with the library behind it. */
export function ButtonPanel({ label, buttonId, align, onClose, className, children }: Props) {
  return (
    <Popover.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      {/* Where the panel opens: the button itself was there before this code. */}
      <Popover.Anchor asChild>
        <span aria-hidden="true" className="pointer-events-none absolute inset-0" />
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          onInteractOutside={(event) => {
            const { target } = event;
            if (target instanceof Element && target.closest(`#${CSS.escape(buttonId)}`))
              event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            document.getElementById(buttonId)?.focus();
          }}
          className={cn(
            'z-50 flex max-h-(--radix-popover-content-available-height) max-w-[calc(100vw-1rem)] flex-col gap-2 overflow-y-auto rounded-lg border border-line p-3 text-sm shadow-lg outline-none',
            className,
          )}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
