'use client';

import type { ReactNode } from 'react';
import { Fact, Facts } from '@/components/ui/fold';
import { LocalDay } from '@/components/ui/time/moment';

/** The uptime of a window as text: `measured` where corrections changed it, `since` where the monitor is younger. */
type UptimeFact = { window: string; uptime: string; measured?: string; since?: string };

/** In the browser, too, so that the server sends four facts instead of their elements, which it would render twice. */
export function UptimeCells({ facts, now }: { facts: UptimeFact[]; now: string }) {
  return (
    <Facts className="grid-cols-2 sm:grid-cols-4">
      {facts.map(({ window, uptime, measured, since }) => (
        <Fact key={window} term={`Uptime, ${window}`}>
          {uptime}
          {measured === undefined ? null : <Note>corrected; {measured} measured</Note>}
          {since === undefined ? null : (
            <Note>
              since <LocalDay at={since} now={now} />
            </Note>
          )}
        </Fact>
      ))}
    </Facts>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <span className="block text-xs font-normal text-muted">{children}</span>;
}
