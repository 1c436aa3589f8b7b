'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { formatAgo, formatDuration, formatExact, formatUntil } from '@/lib/core/duration';
import { readPageClock, setPageClock, watchPageClock } from './page-clock';

const DAY = { month: 'short', day: 'numeric' } as const;

/** Making a formatter costs far more than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

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

function format(at: Date, options: Intl.DateTimeFormatOptions): string {
  const name = JSON.stringify(options);
  const found = formats.get(name) ?? new Intl.DateTimeFormat(undefined, options);
  formats.set(name, found);
  return found.format(at);
}

/** A moment in the reader's zone and language: `Nov 21, 2026, 2:03:07 PM GMT+1`. */
function formatInFull(at: Date): string {
  return format(at, { dateStyle: 'medium', timeStyle: 'long' });
}

/** The same, as short as it is clear now: today `2:03:07 PM`, this year `Nov 20, 2:03 PM`, else `Nov 20, 2025`. */
function formatInShort(at: Date, now: Date): string {
  if (at.toDateString() === now.toDateString()) return format(at, { timeStyle: 'medium' });
  if (at.getFullYear() !== now.getFullYear()) return format(at, { ...DAY, year: 'numeric' });
  return format(at, { ...DAY, hour: 'numeric', minute: '2-digit' });
}

let isExactOn = false;
const watchers = new Set<() => void>();

/** Shows all moments exactly instead of relative to now, or the other way round. */
export function toggleExactTimes(): void {
  isExactOn = !isExactOn;
  for (const tell of watchers) tell();
}

/** Whether moments are shown exactly. */
function useExactTimes(): boolean {
  return useSyncExternalStore(
    watch,
    () => isExactOn,
    () => false,
  );
}

function watch(tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}
