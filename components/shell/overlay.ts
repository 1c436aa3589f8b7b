import { useSyncExternalStore } from 'react';

/** The overlays of the shell. */
export type Overlay = 'keys' | 'palette';

let shown: Overlay | null = null;
const listeners = new Set<() => void>();

/** Opens an overlay; null closes it. */
export function showOverlay(overlay: Overlay | null): void {
  shown = overlay;
  for (const notify of listeners) notify();
}

/** The open overlay, or null. */
export function useOverlay(): Overlay | null {
  return useSyncExternalStore(
    subscribe,
    () => shown,
    () => null,
  );
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}
