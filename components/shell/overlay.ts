import { useSyncExternalStore } from 'react';

/** What the shell can lay above a page. */
export type Overlay = 'keys' | 'palette';

let shown: Overlay | null = null;
const watchers = new Set<() => void>();

/** Lays something above the page, from wherever a button or a key asks for it; null takes it away. */
export function showOverlay(overlay: Overlay | null): void {
  shown = overlay;
  for (const tell of watchers) tell();
}

/** What lies above the page now. */
export function useOverlay(): Overlay | null {
  return useSyncExternalStore(watch, () => shown, readNone);
}

function watch(tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}

function readNone(): null {
  return null;
}
