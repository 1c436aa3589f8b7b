'use client';

import { useEffect, useState } from 'react';
import { callRoute } from '@/components/ui/call-route';
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
      const read = await callRoute<number>(URL_PATH, {}, left.signal);
      if (read.ok) setKnown((before) => ({ ...before, count: read.value }));
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
