'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import type { Found } from '@/lib/schemas/search';
import type { PaletteProps } from './palette-button';

/** Who types goes on typing. */
const PAUSE_MS = 120;

/** What was found for `answered`, the last that was sought and answered. */
export type Search = { found: Found | null; answered: string | null; hasFailed: boolean };

/** Looks for what is typed, a moment after it was. What was found before stays until then. */
export function useSearch(search: PaletteProps['search'], sought: string, here: string | null): Search {
  const [state, setState] = useState<Search>({ found: null, answered: null, hasFailed: false });
  const ask = useEffectEvent(search);

  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(
      async () => {
        const found = await ask(sought, here).catch(() => null);
        if (!isOver) setState({ found, answered: sought, hasFailed: found === null });
      },
      sought === '' ? 0 : PAUSE_MS,
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [sought, here]);

  return state;
}
