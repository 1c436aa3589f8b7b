'use client';

import { useEffect, useState } from 'react';
import { formatDuration } from '@/lib/core/duration';
import { formatAgo, formatExact, formatUntil } from '@/lib/core/relative-time';

type Props = { at: string; now: string; as?: 'ago' | 'until' | 'duration' };

const SAY = {
  ago: formatAgo,
  until: formatUntil,
  duration: (at: Date, now: Date) => formatDuration(Math.max(0, now.getTime() - at.getTime())),
} as const;

/**
 * A moment relative to the page's `now`: `4m ago`, one to come `in 4m`, or as the duration since then `4m`. Hovering shows
 * it exactly, in the reader's zone. Both moments in ISO 8601.
 */
export function Moment({ at, now, as = 'ago' }: Props) {
  const [title, setTitle] = useState(formatExact(new Date(at)));
  // The server cannot know the reader's zone: UTC first, theirs once the page lives.
  useEffect(() => {
    setTitle(
      new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' }).format(new Date(at)),
    );
  }, [at]);
  const [from, to] = [new Date(at), new Date(now)];
  return (
    <time dateTime={at} title={title}>
      {SAY[as](from, to)}
    </time>
  );
}
