import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { cn } from '../cn';
import type { OpenMenu } from './menu-button';

/** The look of an item. */
export const MENU_ITEM =
  'touch flex min-h-8 cursor-pointer items-center gap-2 rounded px-2 py-1 text-sm outline-none select-none data-highlighted:bg-sunken [&_svg]:size-4 [&_svg]:shrink-0';

type Props = { open: OpenMenu; align: 'start' | 'end'; className: string; children: ReactNode };

/** The items of the menu of a `MenuButton`. Loaded on demand, with the library behind it. */
export function MenuPanel({ open: { buttonId, isFromKeyboard, close }, align, className, children }: Props) {
  return (
    <DropdownMenu.Root open onOpenChange={(isOpen) => isOpen || close()}>
      {/* Where the menu opens: the button itself was there before this code. */}
      <DropdownMenu.Trigger asChild>
        <span aria-hidden="true" className="pointer-events-none absolute inset-0" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={6}
          aria-labelledby={buttonId}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            document.getElementById(buttonId)?.focus();
          }}
          className={cn('z-50 rounded-lg border border-line bg-surface p-1 shadow-lg', className)}
        >
          {isFromKeyboard ? <FocusFirst /> : null}
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Focuses the first item when it appears. */
function FocusFirst() {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    place.current?.parentElement?.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
  }, []);
  return <span ref={place} hidden />;
}

/** A line between groups of items. */
export function MenuSeparator() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}
