'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { nameRegion, nameRegions, nameRegionWithin, type RegionNames } from './name-region';

const Names = createContext<RegionNames>({});

/** Provides the names of regions to `RegionName`, `RegionList` and `useRegionNames`. */
export function RegionNamesProvider({ names, children }: { names: RegionNames; children: ReactNode }) {
  return <Names value={names}>{children}</Names>;
}

/** The names of regions, for `nameRegion`. */
export function useRegionNames(): RegionNames {
  return useContext(Names);
}

/** A region by its name. */
export function RegionName({ id, isSentence = false }: { id: string; isSentence?: boolean }) {
  return (isSentence ? nameRegionWithin : nameRegion)(useRegionNames(), id);
}

const sentence = new Intl.ListFormat('en');

/** Regions by their names, each once: `us-east, Office, and Depot` in a sentence, otherwise with commas only. */
export function RegionList({ ids, isSentence = false }: { ids: readonly string[]; isSentence?: boolean }) {
  const names = useRegionNames();
  if (!isSentence) return nameRegions(names, ids).join(', ');
  return sentence.format(new Set(ids.map((id) => nameRegionWithin(names, id))));
}
