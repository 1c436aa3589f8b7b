import { isCharacter, readKeystroke } from './keystroke';
import { matchKeys } from './match-keys';
import { areSingleKeysOn } from './single-keys';
import { isActivating, isInOverlay, isTyping } from './targets';

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
