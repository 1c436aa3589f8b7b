import { z } from 'zod';

/** Any value, or none. */
export const anything = z.unknown().optional();

/**
 * Fields of foreign files. Products write the same value in several forms (`1`, `"1"`, `true`) and leave out what is not set,
 * so none of these rejects a file: what cannot be read is null.
 */
export const looseText = anything.transform((value) =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null,
);

/** A text that is not blank. */
export const looseWord = looseText.transform((text) => (text === null || text.trim() === '' ? null : text));

export const looseNumber = anything.transform((value) => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
});

export const looseFlag = anything.transform((value) => {
  const text = ['string', 'number', 'boolean'].includes(typeof value)
    ? String(value).trim().toLowerCase()
    : '';
  if (['true', '1', 'yes', 'on'].includes(text)) return true;
  return ['false', '0', 'no', 'off'].includes(text) ? false : null;
});

export const looseList = anything.transform((value): unknown[] => (Array.isArray(value) ? value : []));

export const looseRecord = anything.transform(
  (value): Record<string, unknown> => (isRecord(value) ? value : {}),
);

export const looseTexts = looseList.transform((list) =>
  list.map((each) => looseText.parse(each)).filter((text) => text !== null),
);

/** An object with names and texts; values that are neither text nor number are left out. */
export const looseTextMap = looseRecord.transform(toTextMap);

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function toTextMap(record: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(record).map(([name, value]) => [name, looseText.parse(value)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** A list of objects with a name (or key) and a value each, as a map. */
export function pairsToMap(list: readonly unknown[]): Record<string, string> {
  const pairs = list.filter(isRecord).flatMap((pair) => {
    const name = looseWord.parse(pair.name ?? pair.key);
    const value = looseText.parse(pair.value);
    return name === null || value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

/** The JSON in a text; undefined if it is not valid. */
export function tryJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
