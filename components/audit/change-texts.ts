import { storableText } from '@/lib/core/storable-text';

const LONGEST = 200;

type Fields = Readonly<Record<string, unknown>> | null;

/** The names of the fields of either side, in the order in which they are kept. */
export function fieldsOf(before: Fields, after: Fields): string[] {
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
}

/** A value in words: texts as they are, what is empty as such, all else as JSON; cut where it is very long. */
export function sayValue(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (value === '') return 'empty';
  const text = typeof value === 'string' ? value : sayObject(value);
  return storableText(text, LONGEST);
}

function sayObject(value: unknown): string {
  const isListOfTexts = Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (isListOfTexts) return value.length === 0 ? 'none' : value.join(', ');
  return JSON.stringify(value);
}
