'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { dateFormat } from '@/lib/core/time/date-format';
import { formatAgo, formatElapsed, formatExact, formatUntil } from '@/lib/core/time/duration';
import { createStore, useBrowserValue } from '../store';
import { formatLocal, formatLocalDay } from './format-local';
import { readPageClock, setPageClock, useTimeZone, watchPageClock } from './page-clock';

const FORMATS = {
  ago: formatAgo,
  until: formatUntil,
  duration: (at: Date, now: Date) => formatElapsed(Math.max(0, now.getTime() - at.getTime())),
} as const;

const exactTimes = createStore(false);

/** Switches all moments between exact and relative. */
export function toggleExactTimes(): void {
  exactTimes.set(!exactTimes.read());
}

type Props = { at: string; now: string; as?: keyof typeof FORMATS };

/**
 * A moment relative to now: `4m ago`, one in the future `in 4m`, or the duration since then `4m`. It keeps up while the page
 * is open. `now` is when the page was rendered; both in ISO 8601. Hovering shows the exact moment in the reader's time zone,
 * and so does the shortcut for exact times, except for durations.
 */
export function Moment({ at, now, as = 'ago' }: Props) {
  const isExact = exactTimes.use() && as !== 'duration';
  const formatAt = (nowMs: number) => (isExact ? formatShort : FORMATS[as])(new Date(at), new Date(nowMs));
  useEffect(() => setPageClock(now), [now]);
  // Renders again only when the text changes.
  const text = useSyncExternalStore(
    watchPageClock,
    () => formatAt(readPageClock() ?? Date.parse(now)),
    () => formatAt(Date.parse(now)),
  );
  // The server does not know the reader's time zone: UTC until the page is hydrated.
  const exact = useBrowserValue(
    () => formatFull(new Date(at)),
    () => formatExact(new Date(at)),
  );
  return (
    <time dateTime={at} title={exact} className={isExact ? 'whitespace-nowrap' : undefined}>
      {text}
    </time>
  );
}

type LocalTimeProps = { at: string; now: string; isExact?: boolean };

/**
 * A moment in the reader's time zone: `14:02` on the day of `now`, else `Nov 20, 14:02`. Both in ISO 8601. `isExact` adds the seconds.
 */
export function LocalTime({ at, now, isExact }: LocalTimeProps) {
  const timeZone = useTimeZone();
  return <time dateTime={at}>{formatLocal(new Date(at), new Date(now), timeZone, isExact)}</time>;
}

/** A day in the reader's time zone: `Nov 20`, in another year than `now` with its year. Both in ISO 8601. */
export function LocalDay({ at, now }: { at: string; now: string }) {
  const timeZone = useTimeZone();
  return <time dateTime={at}>{formatLocalDay(new Date(at), new Date(now), timeZone)}</time>;
}

const DAY = { month: 'short', day: 'numeric' } as const;

/** A moment in the reader's time zone and language: `Nov 21, 2026, 2:03:07 PM GMT+1`. */
function formatFull(at: Date): string {
  return dateFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' }).format(at);
}

/** The shortest unambiguous form: today `2:03:07 PM`, this year `Nov 20, 2:03 PM`, else `Nov 20, 2025`. */
function formatShort(at: Date, now: Date): string {
  return dateFormat(undefined, shortOptions(at, now)).format(at);
}

function shortOptions(at: Date, now: Date): Intl.DateTimeFormatOptions {
  if (at.toDateString() === now.toDateString()) return { timeStyle: 'medium' };
  if (at.getFullYear() !== now.getFullYear()) return { ...DAY, year: 'numeric' };
  return { ...DAY, hour: 'numeric', minute: '2-digit' };
}
