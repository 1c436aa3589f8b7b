'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { formatDuration } from '@/lib/core/duration';
import { formatAgo, formatExact, formatUntil } from '@/lib/core/relative-time';
import { useExactTimes } from './exact-times';
import { readPageClock, setPageClock, watchPageClock } from './page-clock';
import { formatInFull, formatInShort } from './write-moment';

type Props = { at: string; now: string; as?: 'ago' | 'until' | 'duration' };

const SAY = {
  ago: formatAgo,
  until: formatUntil,
  duration: (at: Date, now: Date) => formatDuration(Math.max(0, now.getTime() - at.getTime())),
} as const;

/**
 * A moment relative to now: `4m ago`, one to come `in 4m`, or as the duration since then `4m`. It goes on while the page is
 * open. `now` is when the page was drawn; both in ISO 8601. Exactly, in the reader's zone, it is shown by hovering and touching,
 * and the first two kinds in short by the key for exact times.
 */
export function Moment({ at, now, as = 'ago' }: Props) {
  const isExact = useExactTimes() && as !== 'duration';
  const say = (nowMs: number) => (isExact ? formatInShort : SAY[as])(new Date(at), new Date(nowMs));
  useEffect(() => setPageClock(now), [now]);
  // Drawn anew only when the words change.
  const words = useSyncExternalStore(
    watchPageClock,
    () => say(readPageClock() ?? Date.parse(now)),
    () => say(Date.parse(now)),
  );
  // The server cannot know the reader's zone: UTC first, theirs once the page lives.
  const exact = useSyncExternalStore(
    watchNothing,
    () => formatInFull(new Date(at)),
    () => formatExact(new Date(at)),
  );
  return (
    <time dateTime={at} title={exact} className={isExact ? 'whitespace-nowrap' : undefined}>
      {words}
    </time>
  );
}

const watchNothing = () => () => undefined;
