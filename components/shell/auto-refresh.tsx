'use client';

import { CloudOff } from 'lucide-react';
import type { LiveKind } from '@/lib/schemas/live';
import { useLiveRefresh } from './live/use-live-refresh';

const OF_MONITORS: readonly LiveKind[] = ['changes', 'deliveries', 'results'];

type Props = {
  refresh: () => Promise<void>;
  /** The kinds of changes that the page shows; by default, all about monitors. */
  of?: readonly LiveKind[];
};

/**
 * Keeps the page up to date while it is visible, and shows when it cannot. `refresh` is a server action rather than the
 * router's refresh, which would end on the browser's error page when the service does not respond.
 */
export function AutoRefresh({ refresh, of = OF_MONITORS }: Props) {
  return <ConnectionLost since={useLiveRefresh(refresh, of)} />;
}

/** Shows since when the page may be out of date; announced by screen readers when it appears. */
function ConnectionLost({ since }: { since: number | null }) {
  return (
    <div
      role="status"
      className="fixed bottom-[calc(var(--bottom)+1rem)] left-4 z-30 max-w-[calc(100vw-2rem)]"
    >
      {since === null ? null : (
        <p className="flex items-center gap-2 rounded-lg border border-slow/30 bg-slow-wash px-3 py-2 text-sm text-slow shadow-lg">
          <CloudOff className="size-4 shrink-0" />
          <span>
            Connection lost at{' '}
            <time dateTime={new Date(since).toISOString()} className="tabular-nums">
              {new Date(since).toLocaleTimeString()}
            </time>
            . Reconnecting…
          </span>
        </p>
      )}
    </div>
  );
}
