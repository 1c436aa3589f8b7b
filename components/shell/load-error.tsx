'use client';

import { Button } from '@/components/ui/button';

type Props = { error: Error & { digest?: string }; retry: () => void };

/** What a page says when it could not be drawn; the reference finds the cause in the log. */
export function LoadError({ error, retry }: Props) {
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-start gap-4 px-4 py-24">
      <h1 className="text-xl font-semibold">This page could not be loaded</h1>
      <p className="text-muted">The service or its database did not answer as it should.</p>
      {error.digest ? (
        <p className="text-xs text-muted">
          Reference in the log: <code className="font-mono">{error.digest}</code>
        </p>
      ) : null}
      <Button size="large" onClick={retry}>
        Try again
      </Button>
    </div>
  );
}
