import { HIDDEN, hideHeaders, listHiddenHeaders } from '@/lib/schemas/hidden';

/** How a secret value is stored and hidden. A path leads from the field to a part of it; an empty one is all of it. */
export type Secret<Value> = {
  /** The text to seal; null where there is nothing to keep. */
  write(value: Value): string | null;
  read(text: string | null): Value;
  /** As those see it who may not change the monitor. */
  hide(value: Value): Value;
  /** Where `[hidden]` was sent. */
  listHidden(value: Value): string[][];
  /** What is stored at a path; null where nothing is. */
  find(stored: Value, path: string[]): string | null;
  /** `value` with what is stored in place of each `[hidden]`. */
  fill(value: Value, stored: Value): Value;
};

/** A text that is secret as a whole. */
export const secretText: Secret<string | null> = {
  write: (text) => text,
  read: (text) => text,
  hide: (text) => (text === null ? null : HIDDEN),
  listHidden: (text) => (text === HIDDEN ? [[]] : []),
  find: (stored) => stored,
  fill: (text, stored) => (text === HIDDEN ? stored : text),
};

/** Headers, of which each value is a secret of its own. Names are the same in any case. */
export const secretHeaders: Secret<Record<string, string>> = {
  write: (headers) => (Object.keys(headers).length > 0 ? JSON.stringify(headers) : null),
  read: (text) => (text === null ? {} : JSON.parse(text)),
  hide: hideHeaders,
  listHidden: (headers) => listHiddenHeaders(headers).map((name) => [name]),
  find: (stored, [name = '']) => headerOf(stored, name),
  fill: (headers, stored) => {
    const kept = listHiddenHeaders(headers).map((name) => [name, headerOf(stored, name) ?? '']);
    return { ...headers, ...Object.fromEntries(kept) };
  },
};

function headerOf(headers: Record<string, string>, name: string): string | null {
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1] ?? null;
}
