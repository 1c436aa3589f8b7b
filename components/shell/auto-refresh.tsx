'use client';

import { CloudOff } from 'lucide-react';
import { unstable_isUnrecognizedActionError } from 'next/navigation';
import { startTransition, useEffect, useState } from 'react';

/** A refresh without an answer for so long is given up, so that the next can begin. */
const PATIENCE_MS = 15_000;

/**
 * Keeps the page fresh while someone looks at it. `refresh` is a server action and not the router's own refresh: that one
 * leaves the page for the browser's error page when the service does not answer, this one stays and says so.
 */
export function AutoRefresh({ refresh, everyMs = 3000 }: { refresh: () => Promise<void>; everyMs?: number }) {
  const [isStale, setStale] = useState(false);

  useEffect(() => {
    let begunAt: number | null = null;
    const run = () => {
      const isBusy = begunAt !== null && performance.now() - begunAt < PATIENCE_MS;
      if (document.visibilityState !== 'visible' || isBusy) return;
      begunAt = performance.now();
      startTransition(async () => {
        try {
          await refresh();
          setStale(false);
        } catch (error) {
          // Another version of the service answers now: this page cannot talk to it.
          if (unstable_isUnrecognizedActionError(error)) window.location.reload();
          else setStale(true);
        } finally {
          begunAt = null;
        }
      });
    };
    const timer = setInterval(run, everyMs);
    document.addEventListener('visibilitychange', run);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', run);
    };
  }, [refresh, everyMs]);

  return (
    <div role="status" className="empty:sr-only">
      {isStale ? (
        <p className="flex items-center gap-2 rounded-md border border-slow/30 bg-slow-wash px-3 py-2 text-sm text-slow">
          <CloudOff className="size-4 shrink-0" aria-hidden="true" />
          The service does not answer: what you see may be out of date. Trying again.
        </p>
      ) : null}
    </div>
  );
}
