import { useSyncExternalStore } from 'react';

/** A value that components share; those that use it render again when it changes. */
export function createStore<T>(initial: T) {
  let value = initial;
  const listeners = new Set<() => void>();
  const read = () => value;
  const subscribe = (notify: () => void) => {
    listeners.add(notify);
    return () => listeners.delete(notify);
  };
  return {
    read,
    set: (next: T) => {
      value = next;
      for (const notify of listeners) notify();
    },
    /** A hook that returns the value: the initial one on the server and during hydration. */
    use: () => useSyncExternalStore(subscribe, read, () => initial),
  };
}

const subscribeToNothing = () => () => undefined;

/** A value that only the browser knows; `fallback` on the server and during hydration. Both must be pure. */
export function useBrowserValue<T>(read: () => T, fallback: () => T): T {
  return useSyncExternalStore(subscribeToNothing, read, fallback);
}
