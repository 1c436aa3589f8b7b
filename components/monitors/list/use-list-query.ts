import { useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type ListQuery, readListQuery, WHOLE_LIST, writeListQuery } from './list-query';

/** Long enough to type a word: browsers throttle a page that changes its URL at every keystroke. */
const TYPING_MS = 250;

/** The list's filters and order, kept in the URL without a request. Choices add a history entry; typing does not. */
export function useListQuery() {
  const params = useSearchParams();
  const inAddress = useMemo(() => readListQuery(params), [params]);
  const [q, setQ] = useState(inAddress.q);
  const written = useRef(inAddress.q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // The URL changed by other means than typing, such as the back button or a link.
  useEffect(() => {
    if (inAddress.q === written.current) return;
    written.current = inAddress.q;
    setQ(inAddress.q);
  }, [inAddress.q]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const query = useMemo(() => ({ ...inAddress, q }), [inAddress, q]);
  const navigate = (next: ListQuery, isHistoryEntry: boolean) => {
    clearTimeout(timer.current);
    written.current = next.q.trim();
    const address = `${window.location.pathname}${writeListQuery(next)}`;
    if (isHistoryEntry) window.history.pushState(null, '', address);
    else window.history.replaceState(null, '', address);
  };
  return {
    query,
    choose: (change: Partial<Omit<ListQuery, 'q'>>) => navigate({ ...query, ...change }, true),
    type: (text: string) => {
      setQ(text);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => navigate({ ...query, q: text }, false), TYPING_MS);
    },
    clear: () => {
      setQ('');
      navigate({ ...WHOLE_LIST, sort: query.sort }, true);
    },
  };
}
