'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { useLiveRefresh } from '../live/use-live-refresh';
import { showOutages } from './show-outages';

/** Hidden tabs have no stream of changes. */
const HIDDEN_EVERY_MS = 60_000;

type Props = {
  /** From when the page was rendered. */
  down: number;
  /** A server action: how many are down now. */
  countDown: () => Promise<number>;
};

/** Shows in the tab of the browser how many monitors are down, also while the tab is hidden. */
export function OutageTab({ down, countDown }: Props) {
  const [known, setKnown] = useState({ rendered: down, count: down });
  if (known.rendered !== down) setKnown({ rendered: down, count: down });

  const read = async () => {
    const count = await countDown();
    setKnown((before) => ({ ...before, count }));
  };
  useLiveRefresh(read, ['changes']);
  const readWhileHidden = useEffectEvent(() => {
    // Without a response, the title stays until the next one.
    if (document.visibilityState === 'hidden') read().catch(() => undefined);
  });
  useEffect(() => {
    const timer = setInterval(readWhileHidden, HIDDEN_EVERY_MS);
    return () => clearInterval(timer);
  }, []);

  useEffect(() => showOutages(document, known.count), [known.count]);
  return null;
}
