import { readOverlay } from '../overlay';

/** Shortcuts by keystroke (see `readKeystroke`); `g m` is `g` followed by `m`. */
export type Shortcuts = Readonly<Record<string, { label: string; run: () => void }>>;

type Scope = { group: string; read: () => Shortcuts };

/** The listed shortcuts of a group. */
type KeyGroup = { group: string; keys: { key: string; label: string }[] };

/** The time limit for the second key of a pair. */
const PAIR_MS = 1500;

const scopes: Scope[] = [];
let pending: { stroke: string; at: number } | null = null;

/** Adds shortcuts; returns the function that removes them. The latest one wins if several share a key. */
export function addShortcuts(scope: Scope): () => void {
  if (scopes.length === 0) document.addEventListener('keydown', onKeyDown);
  scopes.push(scope);
  return () => {
    scopes.splice(scopes.indexOf(scope), 1);
    if (scopes.length === 0) document.removeEventListener('keydown', onKeyDown);
  };
}

/** The active shortcuts, those of the page first. */
export function listKeys(): KeyGroup[] {
  const groups = new Map<string, KeyGroup['keys']>();
  for (const { group, read } of scopes) {
    const keys = Object.entries(read()).map(([key, { label }]) => ({ key, label }));
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
  shortcut.run();
}

const DIALOG = '[role=dialog], [role=alertdialog]';

const OVERLAY = `${DIALOG}, [role=menu], [role=listbox]`;

/** What Enter or Space activates: Enter opens a link, Space checks a checkbox. */
const ACTIVATED =
  'a[href], button, summary, input, [role=button], [role=checkbox], [role=switch], [role=tab]';

const TYPING =
  'textarea, select, [contenteditable]:not([contenteditable="false"]), input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=reset])';

/** Whether a keystroke is free for shortcuts, and not for the focused element. An overlay has its own keys. */
function isFree(target: EventTarget | null, stroke: string): boolean {
  if (!(target instanceof Element)) return true;
  if (target.closest(OVERLAY)) return false;
  if ((stroke === 'enter' || stroke === 'space') && target.closest(ACTIVATED)) return false;
  if (stroke.startsWith('mod+')) return true;
  // One that is still opening does not have the focus yet.
  if (readOverlay() !== null || document.querySelector(DIALOG)) return false;
  return !target.closest(TYPING) && (!isCharacter(stroke) || areSingleKeysOn());
}

/** The shortcut that a keystroke completes, and the pair that it starts. */
type Match = { found: string | null; pending: string | null };

/** Matches a keystroke, and the pending first key of a pair, against the registered keys. A first key waits for its second. */
export function matchKeys(keys: readonly string[], pending: string | null, stroke: string): Match {
  const pair = pending === null ? null : `${pending} ${stroke}`;
  if (pair !== null && keys.includes(pair)) return { found: pair, pending: null };
  if (keys.some((each) => each.startsWith(`${stroke} `))) return { found: null, pending: stroke };
  return { found: keys.includes(stroke) ? stroke : null, pending: null };
}

/** The part of a keyboard event that identifies the key. */
export type Keys = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

const MODIFIERS = new Set(['Control', 'Shift', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'Fn', 'Dead']);

const ASCII = /^[\x20-\x7e]$/;

/**
 * The name of a keystroke: `j`, `?`, `enter`, `space`, `shift+j`, `mod+k` (⌘ or Ctrl). Non-Latin letters go by their
 * position on the keyboard. Null for a modifier alone and for Alt, which types other characters.
 */
export function readKeystroke({ key, code, ctrlKey, metaKey, altKey, shiftKey }: Keys): string | null {
  if (altKey || MODIFIERS.has(key)) return null;
  const isSymbol = key.length === 1 && !/\p{L}/u.test(key);
  const shift = shiftKey && (!isSymbol || key === ' ') ? 'shift+' : '';
  return `${ctrlKey || metaKey ? 'mod+' : ''}${shift}${nameOf(key, code)}`;
}

function nameOf(key: string, code: string): string {
  if (key === ' ') return 'space';
  const latin = /^Key([A-Z])$/.exec(code)?.[1];
  const isForeign = key.length === 1 && !ASCII.test(key);
  return (isForeign && latin ? latin : key).toLowerCase();
}

/** Whether a keystroke types a character; such shortcuts can be turned off and are inactive while typing. */
export function isCharacter(stroke: string): boolean {
  return stroke.replace(/^shift\+/, '').length === 1;
}

const STORAGE_KEY = 'pharos.single-keys';

const OFF = 'off';

/** Whether single-key shortcuts are enabled in this browser, as WCAG 2.1.4 requires. The default is on. */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== OFF;
  } catch {
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, OFF);
  } catch {
    // Storage is unavailable: the setting is lost.
  }
}
