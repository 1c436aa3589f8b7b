import { useSyncExternalStore } from 'react';

/** A value that components share; those that use it render again when it changes. */
export type Store<T> = {
  read(): T;
  set(next: T): void;
  /** A hook that returns the value: the initial one on the server and during hydration. */
  use(): T;
};

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const read = () => value;
  const subscribe = (notify: () => void) => {
    listeners.add(notify);
    return () => listeners.delete(notify);
  };
  return {
    read,
    set: (next) => {
      value = next;
      for (const notify of listeners) notify();
    },
    use: () => useSyncExternalStore(subscribe, read, () => initial),
  };
}

const subscribeToNothing = () => () => undefined;

/** A value that only the browser knows; `fallback` on the server and during hydration. Both return the same at every call. */
export function useBrowserValue<T>(read: () => T, fallback: () => T): T {
  return useSyncExternalStore(subscribeToNothing, read, fallback);
}
