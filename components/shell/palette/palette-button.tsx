'use client';

import { Search } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { showOverlay } from '../overlay';
import { KeyCaps } from '../shortcuts/key-caps';

/** Opens the palette; for those who do not know its key yet, and for fingers. */
export function PaletteButton() {
  return (
    <button
      type="button"
      onClick={() => showOverlay('palette')}
      aria-keyshortcuts="Control+K Meta+K"
      className="mr-1 flex size-8 shrink-0 items-center justify-center gap-2 rounded-md text-muted hover:bg-sunken hover:text-ink xl:h-8 xl:w-44 xl:justify-start xl:border xl:border-line xl:px-2"
    >
      <Search className="size-4 shrink-0" aria-hidden="true" />
      <span className="sr-only xl:not-sr-only">Search</span>
      <span className="ml-auto hidden xl:flex" aria-hidden="true">
        {useIsInBrowser() ? <KeyCaps stroke="mod+k" /> : null}
      </span>
    </button>
  );
}

const watchNothing = () => () => undefined;

/** False on the server and in what it drew, which cannot know the keyboard. */
function useIsInBrowser(): boolean {
  return useSyncExternalStore(
    watchNothing,
    () => true,
    () => false,
  );
}
