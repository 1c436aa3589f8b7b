/** What of a keyboard event tells which key it is. */
export type Keys = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

const MODIFIERS = new Set(['Control', 'Shift', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'Fn', 'Dead']);
const ASCII = /^[\x20-\x7e]$/;

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
