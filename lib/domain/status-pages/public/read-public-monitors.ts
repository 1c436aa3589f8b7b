import type { Services } from '@/lib/domain/context/services';
import { dayBars, startOfBars } from '@/lib/domain/monitors/history/day-bars';
import { readPeriods, uptimeWithin, WINDOW_MS } from '@/lib/domain/monitors/history/uptime';
import { readSilences } from '@/lib/domain/monitors/silence';
import { readMonitorStatuses } from '@/lib/domain/status-pages/aggregate-status';
import type { PublicMonitor } from '@/lib/schemas/status-pages/status-page';

/** The public data of monitors with full day bars, in the order of `ids`, in three queries. */
export async function readShownMonitors({ db }: Pick<Services, 'db'>, ids: string[], now: Date) {
  const silences = await readSilences(db, ids, now);
  const [monitors, periods] = await Promise.all([
    readMonitorStatuses(db, ids, silences),
    readPeriods(db, ids, { since: startOfBars(now), now, silences }),
  ]);
  // The bars cover the trailing 30 days.
  const since = new Date(now.getTime() - WINDOW_MS['30d']);
  return monitors.map((monitor) => {
    const own = periods.get(monitor.id) ?? [];
    return { ...monitor, uptimePercentage: uptimeWithin(own, since, now) ?? 100, days: dayBars(own, now) };
  });
}

/** The same with days as the API returns them. */
export async function readPublicMonitors(
  services: Pick<Services, 'db'>,
  ids: string[],
  now: Date,
): Promise<PublicMonitor[]> {
  const monitors = await readShownMonitors(services, ids, now);
  return monitors.map(({ days, ...monitor }) => ({
    ...monitor,
    days: days.map(({ date, status, uptimePercentage }) => ({ date, status, uptimePercentage })),
  }));
}
