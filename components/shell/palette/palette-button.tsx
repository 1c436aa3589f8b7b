'use client';

import { Search } from 'lucide-react';
import { useBrowserValue } from '@/components/ui/store';
import type { Action } from '@/lib/domain/context/permissions';
import type { Found } from '@/lib/schemas/search';
import { showOverlay } from '../overlay';
import { KeyCaps } from '../shortcuts/key-caps';
import type { Theme } from '../theme';

/** Opens the palette by mouse or touch. */
export function PaletteButton() {
  // The server does not know the keyboard.
  const isInBrowser = useBrowserValue(
    () => true,
    () => false,
  );
  return (
    <button
      type="button"
      onClick={() => showOverlay('palette')}
      aria-keyshortcuts="Control+K Meta+K"
      className="mr-1 flex size-8 shrink-0 items-center justify-center gap-2 rounded-md text-muted hover:bg-sunken hover:text-ink xl:h-8 xl:w-44 xl:justify-start xl:border xl:border-line xl:px-2"
    >
      <Search className="size-4 shrink-0" />
      <span className="sr-only xl:not-sr-only">Search</span>
      <span className="ml-auto hidden xl:flex" aria-hidden="true">
        {isInBrowser ? <KeyCaps stroke="mod+k" /> : null}
      </span>
    </button>
  );
}

type Named = { id: string; name: string };

/** What the palette offers, and the server actions behind it. `switchMonitor` returns an error message, or null. */
export type PaletteProps = {
  /** What this person may do. */
  may: readonly Action[];
  /** The sections of the settings that this person may see. */
  settings: readonly { href: string; label: string }[];
  organization: Named;
  organizations: readonly Named[];
  search: (typed: string, here: string | null) => Promise<Found>;
  switchMonitor: (id: string, enabled: boolean) => Promise<string | null>;
  switchTo: (organizationId: string) => Promise<void>;
  setTheme: (theme: Theme) => Promise<void>;
  signOut: () => Promise<void>;
};
