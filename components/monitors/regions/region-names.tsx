'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { nameRegion, type RegionNames } from './name-region';

const Names = createContext<RegionNames>({});

/** Provides the names of own regions to `RegionName`, `RegionList` and `useRegionNames`. */
export function RegionNamesProvider({ names, children }: { names: RegionNames; children: ReactNode }) {
  return <Names value={names}>{children}</Names>;
}

/** The names of own regions, for `nameRegion`. */
export function useRegionNames(): RegionNames {
  return useContext(Names);
}

/** A region by its name. */
export function RegionName({ id }: { id: string }) {
  return nameRegion(useRegionNames(), id);
}

const sentence = new Intl.ListFormat('en');

/** Regions by their names: `us-east, Office, and Depot` in a sentence, otherwise with commas only. */
export function RegionList({ ids, isSentence = false }: { ids: readonly string[]; isSentence?: boolean }) {
  const names = useRegionNames();
  const named = ids.map((id) => nameRegion(names, id));
  return isSentence ? sentence.format(named) : named.join(', ');
}
