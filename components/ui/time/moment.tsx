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

/** Further away, the date says more than a number of days. */
const RELATIVE_MS = 24 * 3_600_000;

const exactTimes = createStore(false);

/** Switches all moments between exact and relative. */
export function toggleExactTimes(): void {
  exactTimes.set(!exactTimes.read());
}

type Props = { at: string; now: string; as?: keyof typeof FORMATS };

/**
 * A moment: within a day relative to now, `4m ago` or, in the future, `in 4m`, and its date and time otherwise, `Nov 20, 14:02`; or the
 * duration since then, `4m`. It keeps up while the page is open. `now` is when the page was rendered; both in ISO 8601. Hovering
 * shows the exact moment in the reader's time zone, and so does the shortcut for exact times, except for durations.
 */
export function Moment({ at, now, as = 'ago' }: Props) {
  const isExact = exactTimes.use() && as !== 'duration';
  const timeZone = useTimeZone();
  const title = useExactTime(at);
  const formatAt = (nowMs: number) => {
    const [moment, from] = [new Date(at), new Date(nowMs)];
    const isFar = as !== 'duration' && Math.abs(moment.getTime() - nowMs) >= RELATIVE_MS;
    return isExact || isFar ? formatLocal(moment, from, timeZone, isExact) : FORMATS[as](moment, from);
  };
  useEffect(() => setPageClock(now), [now]);
  // Renders again only when the text changes.
  const text = useSyncExternalStore(
    watchPageClock,
    () => formatAt(readPageClock() ?? Date.parse(now)),
    () => formatAt(Date.parse(now)),
  );
  return (
    <time dateTime={at} title={title} className={isExact ? 'whitespace-nowrap' : undefined}>
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
  return (
    <time dateTime={at} title={useExactTime(at)}>
      {formatLocal(new Date(at), new Date(now), timeZone, isExact)}
    </time>
  );
}

/** A day in the reader's time zone: `Nov 20`, in another year than `now` with its year. Both in ISO 8601. */
export function LocalDay({ at, now }: { at: string; now: string }) {
  const timeZone = useTimeZone();
  return (
    <time dateTime={at} title={useExactTime(at)}>
      {formatLocalDay(new Date(at), new Date(now), timeZone)}
    </time>
  );
}

/** A moment in the reader's time zone and language: `Nov 21, 2026, 2:03:07 PM GMT+1`. In UTC until the page is hydrated. */
function useExactTime(at: string): string {
  return useBrowserValue(
    () => dateFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' }).format(new Date(at)),
    () => formatExact(new Date(at)),
  );
}
