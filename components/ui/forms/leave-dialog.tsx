import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { ConfirmDialog } from '../confirm-dialog';
import { holdBack } from '../navigation/leave';

/** Blocks links, commands and the back button while it is mounted, until confirmed. The browser itself confirms closing the tab. */
export function LeaveDialog() {
  const router = useRouter();
  /** A blocked navigation and how to resume it. */
  const [departure, setDeparture] = useState<{ leave: () => void } | null>(null);

  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const block = (resume: () => void) =>
      setDeparture({
        leave: () => {
          stop.abort();
          resume();
        },
      });
    holdBack(block, signal);
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });

    const blockLink = (event: MouseEvent) => {
      const href = leavingHref(event);
      if (href === null) return;
      event.preventDefault();
      event.stopPropagation();
      block(() => router.push(href));
    };
    document.addEventListener('click', blockLink, { capture: true, signal });

    // Not every browser can block the back button yet.
    const { navigation } = globalThis as { navigation?: Navigation };
    const blockTraversal = (event: NavigateEvent) => {
      if (event.navigationType !== 'traverse' || !event.cancelable) return;
      const { key } = event.destination;
      event.preventDefault();
      block(() => navigation?.traverseTo(key));
    };
    navigation?.addEventListener('navigate', blockTraversal, { signal });
    return () => stop.abort();
  }, [router]);

  return (
    <ConfirmDialog
      open={departure !== null}
      onOpenChange={() => setDeparture(null)}
      title="Leave without saving?"
      description="Your unsaved changes will be lost."
      confirm="Leave"
      action={() => {
        setDeparture(null);
        departure?.leave();
      }}
      isPending={false}
      problem={null}
    />
  );
}

/** The URL of a clicked link to another page of the app; null for anything else, such as a new tab. */
function leavingHref(event: MouseEvent): string | null {
  const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (link === null || link.target === '_blank' || link.hasAttribute('download')) return null;
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return null;
  const { origin, pathname, search } = new URL(link.href);
  const isHere = pathname === window.location.pathname && search === window.location.search;
  return origin !== window.location.origin || isHere ? null : link.href;
}
