import { useSyncExternalStore } from 'react';

const NONE: ReadonlySet<string> = new Set();
let hidden = NONE;
const listeners = new Set<() => void>();

/** Leaves monitors off the list that are about to be deleted. It outlives the page that hid them. */
export function hideMonitors(ids: readonly string[]): void {
  change(new Set([...hidden, ...ids]));
}

/** Shows them again: the deletion was undone, or failed. */
export function showMonitors(ids: readonly string[]): void {
  change(new Set([...hidden].filter((id) => !ids.includes(id))));
}

/** The monitors to leave out. */
export function useHiddenMonitors(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hidden,
    () => NONE,
  );
}

function change(next: ReadonlySet<string>): void {
  hidden = next;
  for (const listener of listeners) listener();
}
