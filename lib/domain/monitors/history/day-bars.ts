import { LRUCache } from 'lru-cache';
import type { DayBar } from '@/lib/schemas/monitor/stats';
import { isKnown, type Period } from './periods';
import { uptimePercentage } from './uptime';

export const BAR_DAYS = 90;
const DAY = 86_400_000;

/** The start of the bars that end with the day of `now`: midnight UTC, `days` - 1 days before. */
export function startOfBars(now: Date, days = BAR_DAYS): Date {
  return new Date((Math.floor(now.getTime() / DAY) - days + 1) * DAY);
}

/** What is known of a day: milliseconds, and the place of its worst status in `STATUSES`. */
export type DayTimes = { known: number; down: number; worst: number };

const STATUSES = [null, 'operational', 'degraded', 'down'] as const;

/**
 * One bar per UTC day, oldest first, ending with today: the worst status of the day and its uptime. Periods can be in any order
 * and extend beyond the days. `summed` is what else is known of the days, in their order.
 */
export function dayBars(
  periods: readonly Period[],
  now: Date,
  days = BAR_DAYS,
  summed: readonly DayTimes[] = [],
): DayBar[] {
  const start = startOfBars(now, days).getTime();
  const times = Array.from({ length: days }, (_, day) => ({ known: 0, down: 0, worst: 0, ...summed[day] }));
  for (const { state, from, to } of periods) {
    if (!isKnown(state)) continue;
    const end = Math.min(to?.getTime() ?? Number.POSITIVE_INFINITY, now.getTime());
    let at = Math.max(from.getTime(), start);
    while (at < end) {
      const day = Math.floor((at - start) / DAY);
      const next = Math.min(end, start + (day + 1) * DAY);
      const time = times[day];
      if (time) addTime(time, state, next - at);
      at = next;
    }
  }
  return times.map(({ known, down, worst }, day) => ({
    date: dates.memo(start + day * DAY),
    status: STATUSES[worst] ?? null,
    uptimePercentage: uptimePercentage(known, down),
    downtime: down,
  }));
}

function addTime(time: DayTimes, state: 'operational' | 'degraded' | 'down', ms: number): void {
  time.known += ms;
  if (state === 'down') time.down += ms;
  time.worst = Math.max(time.worst, STATUSES.indexOf(state));
}

/** A page needs the same dates for each of its monitors. */
const dates = new LRUCache<number, string>({
  max: 1000,
  memoMethod: (start) => new Date(start).toISOString().slice(0, 10),
});
