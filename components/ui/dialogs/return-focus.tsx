import { useEffect, useRef, useState } from 'react';

export type Openers = readonly HTMLElement[];

/** What opened each open dialog, for the dialogs that open from it. */
const openersOf = new WeakMap<Element, Openers>();

const DIALOG = '[role=dialog], [role=alertdialog]';

/** Inside a dialog: has the focus returned to what opened it, however it closes. Without `openers`, what had the focus when it appeared. */
export function ReturnFocus(props: { openers?: Openers }) {
  const place = useRef<HTMLSpanElement>(null);
  const [openers] = useState(() => props.openers ?? findOpeners());
  useEffect(() => {
    const dialog = place.current?.closest(DIALOG);
    if (dialog) openersOf.set(dialog, openers);
    return () => void setTimeout(() => focusFirst(openers));
  }, [openers]);
  return <span ref={place} hidden />;
}

/** What has the focus, and what gets it if that no longer exists by then: the button of a menu, the opener of a dialog. */
export function findOpeners(): Openers {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || focused === document.body) return [];
  const menu = focused.closest('[role=menu]');
  const button = document.getElementById(menu?.getAttribute('aria-labelledby') ?? '');
  if (button) return [focused, button];
  const dialog = focused.closest(DIALOG);
  return [focused, ...((dialog && openersOf.get(dialog)) ?? [])];
}

function focusFirst(openers: Openers): void {
  // Another dialog may have opened, or a page that focused something of its own.
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  openers.find(({ isConnected }) => isConnected)?.focus();
}
