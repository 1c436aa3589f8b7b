import type { Draft } from './draft';
import { shown } from './sentences';

/** A setting of a file as text, and what is used instead if it cannot be read: null if that is nothing. */
export type Setting<Value> = {
  label: string;
  text: string | null;
  read: (text: string) => Value | null;
  instead: string | null;
};

/** The value of a setting; null if the file has none, or one that is not understood, which is added to the changes. */
export function readSetting<Value>(
  draft: Draft,
  { label, text, read, instead }: Setting<Value>,
): Value | null {
  if (text === null || text.trim() === '') return null;
  const value = read(text);
  if (value === null) {
    const result = instead === null ? 'is left out' : `becomes ${instead}`;
    draft.change(`${label} “${shown(text)}” is not understood and ${result}.`);
  }
  return value;
}
