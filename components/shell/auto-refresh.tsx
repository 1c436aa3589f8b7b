'use client';

import { CloudOff } from 'lucide-react';
import { LIVE_KINDS, type LiveKind } from '@/lib/schemas/live';
import { useLiveRefresh } from './live/use-live-refresh';

type Props = {
  refresh: () => Promise<void>;
  /** What the page shows; anything by default. */
  of?: readonly LiveKind[];
};

/**
 * Keeps the page as it is now while someone looks at it, and says when it cannot. `refresh` is a server action and not the
 * router's own refresh: that one leaves the page for the browser's error page when the service does not answer, this one stays.
 */
export function AutoRefresh({ refresh, of = LIVE_KINDS }: Props) {
  return <StaleMark since={useLiveRefresh(refresh, of)} />;
}

/** Says since when a page may be out of date; nothing while it is not. Spoken when it appears. */
function StaleMark({ since }: { since: number | null }) {
  return (
    <div role="status" className="fixed bottom-4 left-4 z-30 max-w-[calc(100vw-2rem)]">
      {since === null ? null : (
        <p className="flex items-center gap-2 rounded-lg border border-slow/30 bg-slow-wash px-3 py-2 text-sm text-slow shadow-lg">
          <CloudOff className="size-4 shrink-0" aria-hidden="true" />
          <span>
            Stale since{' '}
            <time dateTime={new Date(since).toISOString()} className="tabular-nums">
              {new Date(since).toLocaleTimeString()}
            </time>
            : the connection is cut. Trying again.
          </span>
        </p>
      )}
    </div>
  );
}
