import { findOpeners, type Openers } from '@/components/ui/dialogs/return-focus';
import { createStore } from '@/components/ui/store';

/** The overlays of the shell. */
export type Overlay = 'keys' | 'palette';

const overlay = createStore<Overlay | null>(null);
let openers: Openers = [];

/** Opens an overlay; null closes it. */
export function showOverlay(next: Overlay | null): void {
  // Its code may be loaded first; by then the menu that opened it no longer exists.
  if (next !== null) openers = findOpeners();
  overlay.set(next);
}

/** What opened it, for its `ReturnFocus`. */
export const readOpeners = () => openers;

/** The open overlay, or null; its code may still be loading. */
export const readOverlay = overlay.read;

/** The same, as a hook. */
export const useOverlay = overlay.use;
