import { instantOf, wallTime } from '@/lib/core/time/zoned-time';

/** In the morning, by the clock of the time zone. */
const SENT_AT_HOUR = 8;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The week of a digest: its first and last day as `2026-11-16`, the Monday after it, and when the digest is due. */
export type DigestWeek = { from: string; to: string; monday: string; dueAt: Date };

/** When the next digest is due: on Monday at eight. */
export function nextDigestAt(timeZone: string, now: Date): Date {
  const { dueAt } = digestWeek(timeZone, now);
  return dueAt > now ? dueAt : dueOn(mondayOf(timeZone, now) + 7 * DAY, timeZone);
}

/** The week before the one that contains `now`. */
export function digestWeek(timeZone: string, now: Date): DigestWeek {
  const monday = mondayOf(timeZone, now);
  return {
    from: dateOf(monday - 7 * DAY),
    to: dateOf(monday - DAY),
    monday: dateOf(monday),
    dueAt: dueOn(monday, timeZone),
  };
}

/** The start of the week, as a wall time. */
function mondayOf(timeZone: string, now: Date): number {
  const today = Math.floor(wallTime(now.getTime(), timeZone) / DAY) * DAY;
  return today - ((new Date(today).getUTCDay() + 6) % 7) * DAY;
}

function dueOn(monday: number, timeZone: string): Date {
  return new Date(instantOf(monday + SENT_AT_HOUR * HOUR, timeZone));
}

function dateOf(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}
