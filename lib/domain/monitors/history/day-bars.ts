import type { DayBar } from '@/lib/schemas/monitor/stats';
import { isKnown, knownUptime, type Period } from './uptime';

export const BAR_DAYS = 90;
const DAY = 86_400_000;
const WORST_FIRST = ['down', 'degraded', 'operational'] as const;

/** The start of the bars that end with the day of `now`: midnight UTC, `days` - 1 days before. */
export function startOfBars(now: Date, days = BAR_DAYS): Date {
  return new Date((Math.floor(now.getTime() / DAY) - days + 1) * DAY);
}

/**
 * One bar per UTC day, oldest first, ending with today: the worst status of the day and its uptime. Periods can be in any order
 * and extend beyond the days.
 */
export function dayBars(periods: readonly Period[], now: Date, days = BAR_DAYS): DayBar[] {
  const start = startOfBars(now, days).getTime();
  const times = Array.from({ length: days }, () => ({ down: 0, degraded: 0, operational: 0 }));
  for (const { state, from, to } of periods) {
    if (!isKnown(state)) continue;
    const end = Math.min(to?.getTime() ?? Number.POSITIVE_INFINITY, now.getTime());
    let at = Math.max(from.getTime(), start);
    while (at < end) {
      const day = Math.floor((at - start) / DAY);
      const next = Math.min(end, start + (day + 1) * DAY);
      const time = times[day];
      if (time) time[state] += next - at;
      at = next;
    }
  }
  const dates = datesFrom(start, days);
  return times.map((time, day) => ({
    date: dates[day] ?? '',
    status: WORST_FIRST.find((status) => time[status] > 0) ?? null,
    uptimePercentage: knownUptime(time.down + time.degraded + time.operational, time.down),
    downtime: time.down,
  }));
}

/** Cache, because a page needs the same dates for each of its monitors. */
let cached: { start: number; dates: string[] } = { start: Number.NaN, dates: [] };

function datesFrom(start: number, days: number): string[] {
  if (cached.start !== start || cached.dates.length < days) {
    const dates = Array.from({ length: days }, (_, day) =>
      new Date(start + day * DAY).toISOString().slice(0, 10),
    );
    cached = { start, dates };
  }
  return cached.dates;
}
