'use client';

type Props = { error: Error & { digest?: string }; retry: () => void };

/** Shown when a page failed to load; the reference helps to find the cause in the log. */
export function LoadError({ error, retry }: Props) {
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-start gap-4 px-4 py-24">
      <h1 className="text-xl font-semibold">This page could not be loaded</h1>
      <p className="text-muted">The service or its database did not respond. Try again in a moment.</p>
      {error.digest ? (
        <p className="text-xs text-muted">
          Log reference: <code className="font-mono">{error.digest}</code>
        </p>
      ) : null}
      {/* Not a `Button`: every page loads this file, and the styles of buttons are more than the rest of it. */}
      <button
        type="button"
        onClick={retry}
        className="h-9 rounded-md border border-line bg-surface px-4 text-sm font-medium hover:bg-sunken"
      >
        Try again
      </button>
    </div>
  );
}
