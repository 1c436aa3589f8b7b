import { CloudOff } from 'lucide-react';

/** Says since when a page may be out of date; nothing while it is not. Spoken when it appears. */
export function StaleMark({ since }: { since: number | null }) {
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
