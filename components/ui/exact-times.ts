import { useSyncExternalStore } from 'react';

let isOn = false;
const watchers = new Set<() => void>();

/** Shows all moments exactly instead of relative to now, or the other way round. */
export function toggleExactTimes(): void {
  isOn = !isOn;
  for (const tell of watchers) tell();
}

/** Whether moments are shown exactly. */
export function useExactTimes(): boolean {
  return useSyncExternalStore(
    watch,
    () => isOn,
    () => false,
  );
}

function watch(tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}
