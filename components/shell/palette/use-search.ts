import { useEffect, useEffectEvent, useState } from 'react';
import type { Found } from '@/lib/schemas/search';
import type { PaletteProps } from './palette-button';

/** Waits for further typing. */
const DEBOUNCE_MS = 120;

/** The results for `searched`, the last completed query. */
type SearchState = { found: Found | null; searched: string | null; hasFailed: boolean };

/** Searches a moment after typing stopped. Previous results are kept until then. */
export function useSearch(search: PaletteProps['search'], query: string, here: string | null): SearchState {
  const [state, setState] = useState<SearchState>({ found: null, searched: null, hasFailed: false });
  const runSearch = useEffectEvent(search);

  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(
      async () => {
        const found = await runSearch(query, here).catch(() => null);
        if (!isOver) setState({ found, searched: query, hasFailed: found === null });
      },
      query === '' ? 0 : DEBOUNCE_MS,
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [query, here]);

  return state;
}
