import { createStore } from '@/components/ui/store';

/** The overlays of the shell. */
export type Overlay = 'keys' | 'palette';

const overlay = createStore<Overlay | null>(null);

/** Opens an overlay; null closes it. */
export const showOverlay = overlay.set;

/** The open overlay, or null; its code may still be loading. */
export const readOverlay = overlay.read;

/** The same, as a hook. */
export const useOverlay = overlay.use;
