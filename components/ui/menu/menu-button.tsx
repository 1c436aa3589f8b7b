'use client';

import { type ReactNode, useId, useState } from 'react';

/** An open menu, for its `MenuPanel`. */
export type OpenMenu = {
  /** The ID of the button that opened it, which names it and gets the focus back. */
  buttonId: string;
  /** Keyboard users begin at the first item. */
  isFromKeyboard: boolean;
  close: () => void;
};

type Props = {
  label: string;
  className: string;
  /** Renders the menu. Its code should be loaded on demand, because most visits open none. */
  menu: (open: OpenMenu) => ReactNode;
  /** Starts loading the code of the menu: someone is about to open it. */
  preload: () => unknown;
  children: ReactNode;
};

/** A button that opens a menu. */
export function MenuButton({ label, className, menu, preload, children }: Props) {
  const id = useId();
  const [open, setOpen] = useState<OpenMenu | null>(null);
  const show = (isFromKeyboard: boolean) =>
    setOpen({ buttonId: id, isFromKeyboard, close: () => setOpen(null) });
  return (
    <span className="relative flex min-w-0">
      <button
        type="button"
        id={id}
        aria-haspopup="menu"
        aria-expanded={open !== null}
        aria-label={label}
        data-state={open ? 'open' : 'closed'}
        className={className}
        onPointerEnter={preload}
        onFocus={preload}
        // Clicks by keyboard have no detail.
        onClick={({ detail }) => show(detail === 0)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          show(true);
        }}
      >
        {children}
      </button>
      {open ? menu(open) : null}
    </span>
  );
}
