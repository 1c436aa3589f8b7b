'use client';

import { useEffect, useState } from 'react';
import { formatDuration } from '@/lib/core/duration';
import { formatAgo, formatExact } from '@/lib/core/relative-time';

type Props = { at: string; now: string; as?: 'ago' | 'duration' };

/**
 * A past moment, relative to the page's `now`: `4m ago`, or as a duration `4m`. Hovering shows it exactly, in the reader's
 * zone. Both moments in ISO 8601.
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
      {as === 'ago' ? formatAgo(from, to) : formatDuration(Math.max(0, to.getTime() - from.getTime()))}
    </time>
  );
}
