import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';

/** A way out that was asked for, and how to take it. */
export type Departure = { leave: () => void };

/**
 * Holds who would leave the page by a link or by the way back while `isDirty`; null: nobody wants to. Closing the tab is
 * asked about by the browser itself.
 */
export function useLeaveGuard(isDirty: boolean): [Departure | null, (departure: null) => void] {
  const router = useRouter();
  const [departure, setDeparture] = useState<Departure | null>(null);

  useEffect(() => {
    if (!isDirty) return;
    const stop = new AbortController();
    const { signal } = stop;
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });

    const holdLink = (event: MouseEvent) => {
      const href = leadsAway(event);
      if (href === null) return;
      event.preventDefault();
      event.stopPropagation();
      setDeparture({
        leave: () => {
          stop.abort();
          router.push(href);
        },
      });
    };
    document.addEventListener('click', holdLink, { capture: true, signal });

    // Not every browser can hold the way back yet.
    const { navigation } = globalThis as { navigation?: Navigation };
    const holdWayBack = (event: NavigateEvent) => {
      if (event.navigationType !== 'traverse' || !event.cancelable) return;
      const { key } = event.destination;
      event.preventDefault();
      setDeparture({
        leave: () => {
          stop.abort();
          navigation?.traverseTo(key);
        },
      });
    };
    navigation?.addEventListener('navigate', holdWayBack, { signal });
    return () => stop.abort();
  }, [isDirty, router]);

  return [departure, setDeparture];
}

/** Where a click leads within the app, away from this page; null where it leads nowhere, or into another tab. */
function leadsAway(event: MouseEvent): string | null {
  const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (link === null || link.target === '_blank' || link.hasAttribute('download')) return null;
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return null;
  const { origin, pathname, search } = new URL(link.href);
  const isHere = pathname === window.location.pathname && search === window.location.search;
  return origin !== window.location.origin || isHere ? null : link.href;
}
