'use client';

import { useEffect, useState } from 'react';
import { listenLive } from '../live/live-store';
import { createRefreshPacer } from '../live/use-live-refresh';
import { showOutages } from './show-outages';

const URL_PATH = '/live/outages';
/** Hidden tabs have no stream of changes. */
const HIDDEN_EVERY_MS = 60_000;

/** Shows in the tab of the browser how many monitors are down, also while the tab is hidden. `down` is from when the page was rendered. */
export function OutageTab({ down }: { down: number }) {
  const [known, setKnown] = useState({ rendered: down, count: down });
  if (known.rendered !== down) setKnown({ rendered: down, count: down });

  useEffect(() => {
    const left = new AbortController();
    const pacer = createRefreshPacer(async () => {
      const count = await readDown(left.signal);
      if (count !== null) setKnown((before) => ({ ...before, count }));
    });
    const stopListening = listenLive({
      onHint: (kinds) => {
        if (kinds.includes('changes')) pacer.soon();
      },
      onState: () => undefined,
    });
    const timer = setInterval(() => {
      if (document.visibilityState === 'hidden') pacer.soon();
    }, HIDDEN_EVERY_MS);
    return () => {
      stopListening();
      clearInterval(timer);
      pacer.stop();
      left.abort();
    };
  }, []);

  useEffect(() => showOutages(document, known.count), [known.count]);
  return null;
}

/** Null if the service did not respond, or the session has ended. */
async function readDown(signal: AbortSignal): Promise<number | null> {
  try {
    const response = await fetch(URL_PATH, { signal });
    if (!response.ok) return null;
    const { down }: { down: number } = await response.json();
    return down;
  } catch {
    return null;
  }
}
