const NAME = 'pharos.single-keys';

const OFF = 'off';

/** What of a keyboard event tells which key it is. */
export type Keys = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

const MODIFIERS = new Set(['Control', 'Shift', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'Fn', 'Dead']);

const ASCII = /^[\x20-\x7e]$/;

const TYPING =
  'textarea, select, [contenteditable]:not([contenteditable="false"]), input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=reset])';

const OVERLAY = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';

const ACTIVATED =
  'a[href], button, summary, input, [role=button], [role=checkbox], [role=switch], [role=tab]';

type Target = Pick<Element, 'closest'>;

/** What a key does. The list of keys says `label`; a bare function is not listed. */
export type Shortcut = (() => void) | { label: string; run: () => void };

/** Keys by their name (see keystroke.ts); two with a space between are pressed one after the other. */
export type Shortcuts = Readonly<Record<string, Shortcut>>;

type Scope = { group: string; read: () => Shortcuts };

/** Keys of one group, as the list shows them. */
export type KeyGroup = { group: string; keys: { key: string; label: string }[] };

/** The second key of a pair has to follow within this. */
const PAIR_MS = 1500;

const scopes: Scope[] = [];
let pending: { stroke: string; at: number } | null = null;

/** Makes keys do something until the answer is called. Of two that want the same key, the later one has it. */
export function addShortcuts(scope: Scope): () => void {
  if (scopes.length === 0) document.addEventListener('keydown', onKeyDown);
  scopes.push(scope);
  return () => {
    scopes.splice(scopes.indexOf(scope), 1);
    if (scopes.length === 0) document.removeEventListener('keydown', onKeyDown);
  };
}

/** The keys that do something now: those of the page first. */
export function listKeys(): KeyGroup[] {
  const groups = new Map<string, KeyGroup['keys']>();
  for (const { group, read } of scopes) {
    const keys = Object.entries(read()).flatMap(([key, shortcut]) =>
      typeof shortcut === 'function' ? [] : [{ key, label: shortcut.label }],
    );
    if (keys.length > 0) groups.set(group, [...(groups.get(group) ?? []), ...keys]);
  }
  return [...groups].map(([group, keys]) => ({ group, keys }));
}

function onKeyDown(event: KeyboardEvent): void {
  const stroke = readKeystroke(event);
  if (stroke === null) return;
  const before = pending !== null && event.timeStamp - pending.at < PAIR_MS ? pending.stroke : null;
  pending = null;
  if (event.defaultPrevented || event.isComposing || !isFree(event.target, stroke)) return;
  const all = scopes.map(({ read }) => read());
  const match = matchKeys(all.flatMap(Object.keys), before, stroke);
  if (match.pending !== null) pending = { stroke: match.pending, at: event.timeStamp };
  const { found } = match;
  if (found === null) return;
  const shortcut = all.findLast((keys) => Object.hasOwn(keys, found))?.[found];
  if (!shortcut) return;
  event.preventDefault();
  if (typeof shortcut === 'function') shortcut();
  else shortcut.run();
}

/** Whether a keystroke is for us, and not for what has the focus. */
function isFree(target: EventTarget | null, stroke: string): boolean {
  if (!(target instanceof Element)) return true;
  if (isInOverlay(target) || isActivating(target, stroke)) return false;
  if (stroke.startsWith('mod+')) return true;
  return !isTyping(target) && (!isCharacter(stroke) || areSingleKeysOn());
}

/** What a keystroke completes, and what it begins. */
type Match = { found: string | null; pending: string | null };

/**
 * Holds a keystroke, with the one before it where that began something, against the keys that do something: `j`, or
 * `g m` for one after the other. What begins a pair waits for its second key.
 */
export function matchKeys(keys: readonly string[], pending: string | null, stroke: string): Match {
  const pair = pending === null ? null : `${pending} ${stroke}`;
  if (pair !== null && keys.includes(pair)) return { found: pair, pending: null };
  if (keys.some((each) => each.startsWith(`${stroke} `))) return { found: null, pending: stroke };
  return { found: keys.includes(stroke) ? stroke : null, pending: null };
}

/** Whether what has the focus takes characters. */
function isTyping(target: Target): boolean {
  return target.closest(TYPING) !== null;
}

/** Whether the focus is in something that lies above the page, which has keys of its own. */
function isInOverlay(target: Target): boolean {
  return target.closest(OVERLAY) !== null;
}

/** Whether the browser itself does something with this key where the focus is: Enter opens a link, Space ticks a box. */
function isActivating(target: Target, stroke: string): boolean {
  return (stroke === 'enter' || stroke === 'space') && target.closest(ACTIVATED) !== null;
}

/**
 * The name of what was pressed: `j`, `?`, `enter`, `space`, `shift+j`, `mod+k` (⌘ or Ctrl). Letters go by their place where
 * the layout has no Latin ones. Null for a modifier alone, and with Alt, which types other characters.
 */
export function readKeystroke({ key, code, ctrlKey, metaKey, altKey, shiftKey }: Keys): string | null {
  if (altKey || MODIFIERS.has(key)) return null;
  const isSymbol = key.length === 1 && !/\p{L}/u.test(key);
  const shift = shiftKey && (!isSymbol || key === ' ') ? 'shift+' : '';
  return `${ctrlKey || metaKey ? 'mod+' : ''}${shift}${nameOf(key, code)}`;
}

function nameOf(key: string, code: string): string {
  if (key === ' ') return 'space';
  const place = /^Key([A-Z])$/.exec(code)?.[1];
  const isForeign = key.length === 1 && !ASCII.test(key);
  return (isForeign && place ? place : key).toLowerCase();
}

/** Whether a keystroke is a mere character: such ones can be switched off, and belong to whoever types. */
export function isCharacter(stroke: string): boolean {
  return stroke.replace(/^shift\+/, '').length === 1;
}

/**
 * Whether keys without ⌘ or Ctrl do something in this browser. Who dictates, or hits keys by mistake, switches them off
 * (WCAG 2.1.4). A browser that keeps nothing has them on.
 */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(NAME) !== OFF;
  } catch {
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, OFF);
  } catch {
    // It is forgotten with the page.
  }
}
