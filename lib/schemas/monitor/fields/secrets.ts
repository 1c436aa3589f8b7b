import { HIDDEN, hideHeaders, listHiddenHeaders } from '@/lib/schemas/hidden';

/** How a secret value is stored and hidden. A path names a part of the field; an empty path is the whole field. */
export type Secret<Value> = {
  /** The text to seal; null if there is nothing to store. */
  write(value: Value): string | null;
  read(text: string | null): Value;
  /** The value for readers who may not change the monitor. */
  hide(value: Value): Value;
  /** The paths at which `[hidden]` was sent. */
  listHidden(value: Value): string[][];
  /** The value stored at a path that `given` can keep, or null. */
  find(stored: Value, path: string[], given: Value): string | null;
  /** `value` with each `[hidden]` replaced by the stored value, if there is one. */
  fill(value: Value, stored: Value): Value;
  /** `value` without each `[hidden]`. */
  drop(value: Value): Value;
};

/** A text that is secret as a whole, such as a request body. */
export const secretText: Secret<string | null> = {
  write: (text) => text,
  read: (text) => text,
  hide: (text) => (text === null ? null : HIDDEN),
  listHidden: (text) => (text === HIDDEN ? [[]] : []),
  find: (stored) => stored,
  fill: (text, stored) => (text === HIDDEN ? (stored ?? HIDDEN) : text),
  drop: (text) => (text === HIDDEN ? null : text),
};

/** The same for all monitors without headers, which a worker has in memory by the thousand. */
const NO_HEADERS: Record<string, string> = Object.freeze({});

/** Headers, each value a separate secret. Names are case-insensitive. */
export const secretHeaders: Secret<Record<string, string>> = {
  write: (headers) => (Object.keys(headers).length > 0 ? JSON.stringify(headers) : null),
  read: (text) => (text === null ? NO_HEADERS : JSON.parse(text)),
  hide: hideHeaders,
  listHidden: (headers) => listHiddenHeaders(headers).map((name) => [name]),
  find: (stored, [name = '']) => headerOf(stored, name),
  fill: (headers, stored) => {
    const kept = listHiddenHeaders(headers).map((name) => [name, headerOf(stored, name) ?? HIDDEN]);
    return { ...headers, ...Object.fromEntries(kept) };
  },
  drop: (headers) => Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== HIDDEN)),
};

function headerOf(headers: Record<string, string>, name: string): string | null {
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1] ?? null;
}
