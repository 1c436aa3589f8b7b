import { dateFormat } from '@/lib/core/time/date-format';

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;

/**
 * A moment in a time zone: `14:02` on the day of `now`, `Nov 20, 14:02` in the same year, else `Nov 20, 2025, 14:02`. Only
 * UTC is named. `isExact` adds the seconds.
 */
export function formatLocal(at: Date, now: Date, timeZone: string, isExact = false): string {
  const clock = formatClock(at, timeZone, isExact);
  if (formatDay(at, timeZone, true) === formatDay(now, timeZone, true)) return withZone(clock, timeZone);
  const isThisYear = yearOf(at, timeZone) === yearOf(now, timeZone);
  return withZone(`${formatDay(at, timeZone, !isThisYear)}, ${clock}`, timeZone);
}

/** `14:02` in a time zone, or `14:02:10`. */
export function formatClock(at: Date, timeZone: string, isExact = false): string {
  const seconds = isExact ? ({ second: '2-digit' } as const) : {};
  return dateFormat('en-US', { ...CLOCK, ...seconds, timeZone }).format(at);
}

/** `Nov 20`, or with its year, in a time zone. */
export function formatDay(at: Date, timeZone: string, hasYear = false): string {
  const year = hasYear ? ({ year: 'numeric' } as const) : {};
  return dateFormat('en-US', { ...DAY, ...year, timeZone }).format(at);
}

/** `Nov 20` in a time zone, with the year unless it is that of `now`. */
export function formatLocalDay(at: Date, now: Date, timeZone: string): string {
  return formatDay(at, timeZone, yearOf(at, timeZone) !== yearOf(now, timeZone));
}

function yearOf(at: Date, timeZone: string): string {
  return dateFormat('en-US', { year: 'numeric', timeZone }).format(at);
}

function withZone(text: string, timeZone: string): string {
  return timeZone === 'UTC' ? `${text} UTC` : text;
}
