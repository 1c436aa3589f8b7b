import { useEffect, useRef, useState } from 'react';
import type { Strips } from '@/lib/domain/monitors/lists/list-overviews';

/** The last checks of the rows that are rendered first, and how to read those of others. */
export type StripSource = { first: Strips; read: (ids: string[]) => Promise<Strips> };

/** Scrolling passes rows that nobody looks at. */
const SETTLED_MS = 100;

type Known = Readonly<Record<string, { beats: string | null; asOf: string }>>;

/**
 * The last checks of the rows on the screen: they are read once the rows have stayed there for a moment, and again when the list was
 * refreshed, with a new `now`. Older ones stay until then; undefined before the first, null if they could not be read.
 */
export function useStrips({ first, read }: StripSource, shown: readonly string[], now: string) {
  const [known, setKnown] = useState<Known>({});
  const requested = useRef({ ids: new Set<string>(), now });
  const beatsOf = (id: string) => {
    const own = known[id];
    return own?.asOf === now ? own.beats : (first[id] ?? own?.beats);
  };
  const missing = shown.filter((id) => first[id] === undefined && known[id]?.asOf !== now).join(' ');

  useEffect(() => {
    if (missing === '') return;
    const timer = setTimeout(async () => {
      if (requested.current.now !== now) requested.current = { ids: new Set(), now };
      const ids = missing.split(' ').filter((id) => !requested.current.ids.has(id));
      if (ids.length === 0) return;
      for (const id of ids) requested.current.ids.add(id);
      // After a failure, the rows say so, and the next refresh asks again.
      const strips: Strips = await read(ids).catch(() => ({}));
      setKnown((before) => {
        const added = ids.map((id) => [id, { beats: strips[id] ?? before[id]?.beats ?? null, asOf: now }]);
        return { ...before, ...Object.fromEntries(added) };
      });
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [missing, now, read]);
  return beatsOf;
}
