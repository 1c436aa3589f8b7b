import { useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type ListQuery, readListQuery, WHOLE_LIST, writeListQuery } from './list-query';

/** Long enough for a word to be typed: browsers refuse a page that changes its address at every letter. */
const TYPING_MS = 250;

/**
 * What the list shows, kept in the address, so that it can be shared and one can go back; nothing is asked of the server. A
 * choice is a step to go back from, typing is none.
 */
export function useListQuery(): {
  query: ListQuery;
  choose: (change: Partial<Omit<ListQuery, 'q'>>) => void;
  type: (q: string) => void;
  clear: () => void;
} {
  const params = useSearchParams();
  const inAddress = useMemo(() => readListQuery(params), [params]);
  const [q, setQ] = useState(inAddress.q);
  const written = useRef(inAddress.q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // The address changed by other means than typing: by going back, or by a link.
  useEffect(() => {
    if (inAddress.q === written.current) return;
    written.current = inAddress.q;
    setQ(inAddress.q);
  }, [inAddress.q]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const query = useMemo(() => ({ ...inAddress, q }), [inAddress, q]);
  const go = (next: ListQuery, isStep: boolean) => {
    clearTimeout(timer.current);
    written.current = next.q.trim();
    const address = `${window.location.pathname}${writeListQuery(next)}`;
    if (isStep) window.history.pushState(null, '', address);
    else window.history.replaceState(null, '', address);
  };
  return {
    query,
    choose: (change) => go({ ...query, ...change }, true),
    type: (text) => {
      setQ(text);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => go({ ...query, q: text }, false), TYPING_MS);
    },
    clear: () => {
      setQ('');
      go({ ...WHOLE_LIST, sort: query.sort }, true);
    },
  };
}
