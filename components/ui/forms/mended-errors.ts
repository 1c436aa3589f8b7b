import type { FormState } from './form-state';

type Values = FormState['values'];

/** A form as it is now, next to what it was when its errors were shown. */
export type Edited = {
  before: Values;
  now: Values;
  /** Whether a field of this name exists. Unchecked boxes have no value. */
  hasField: (name: string) => boolean;
  /** Whether what is in the field can still not be right, as far as the browser knows. */
  isStillWrong: (name: string) => boolean;
  /** Names of fields that depend on each other. */
  together?: readonly (readonly string[])[];
};

/**
 * The names of errors that an edit has mended: that of a field whose value changed to one that can be right, and of those that depend on
 * it. An error in a row of a list, such as `links.2.url`, goes with a change of this row; one without a field of its own with any change.
 */
export function listMended(names: readonly string[], edited: Edited): string[] {
  return names.filter((name) => isMended(name, edited));
}

function isMended(name: string, edited: Edited): boolean {
  const { before, now, hasField, together = [] } = edited;
  const [root = name, ...path] = hasField(name) ? [name] : name.split('.');
  const related = [root, ...together.filter((group) => group.includes(root)).flat()].filter(hasField);
  if (related.length === 0) return JSON.stringify(before) !== JSON.stringify(now);
  if (edited.isStillWrong(root)) return false;
  // The last part is the field of the row, whose other fields can have been the cause.
  const row = path.slice(0, -1);
  return related.some((field) => rowOf(before[field], row) !== rowOf(now[field], row));
}

/** The part of a value at a path, as JSON; the value itself without a path. */
function rowOf(value: string | undefined, path: readonly string[]): string | undefined {
  if (path.length === 0 || value === undefined) return value;
  try {
    return JSON.stringify(path.reduce<unknown>(partOf, JSON.parse(value)));
  } catch {
    return value;
  }
}

function partOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([own]) => own === key)?.[1]
    : null;
}
