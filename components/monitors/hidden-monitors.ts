import { useSyncExternalStore } from 'react';

const NONE: ReadonlySet<string> = new Set();
let hidden = NONE;
const listeners = new Set<() => void>();

/** Hides monitors that are about to be deleted. They stay hidden when the page changes. */
export function hideMonitors(ids: readonly string[]): void {
  change(new Set([...hidden, ...ids]));
}

/** Shows them again after the deletion was undone or failed. */
export function showMonitors(ids: readonly string[]): void {
  change(new Set([...hidden].filter((id) => !ids.includes(id))));
}

/** IDs of the hidden monitors. */
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
