const TYPING =
  'textarea, select, [contenteditable]:not([contenteditable="false"]), input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=reset])';
const OVERLAY = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
const ACTIVATED =
  'a[href], button, summary, input, [role=button], [role=checkbox], [role=switch], [role=tab]';

type Target = Pick<Element, 'closest'>;

/** Whether what has the focus takes characters. */
export function isTyping(target: Target): boolean {
  return target.closest(TYPING) !== null;
}

/** Whether the focus is in something that lies above the page, which has keys of its own. */
export function isInOverlay(target: Target): boolean {
  return target.closest(OVERLAY) !== null;
}

/** Whether the browser itself does something with this key where the focus is: Enter opens a link, Space ticks a box. */
export function isActivating(target: Target, stroke: string): boolean {
  return (stroke === 'enter' || stroke === 'space') && target.closest(ACTIVATED) !== null;
}
