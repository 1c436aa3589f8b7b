import type { Services } from '@/lib/domain/context/services';
import { readDayBars } from '@/lib/domain/monitors/history/read-days';
import { readUptimes } from '@/lib/domain/monitors/history/uptime';
import { readSilences } from '@/lib/domain/monitors/silence';
import { readMonitorStatuses } from '@/lib/domain/status-pages/aggregate-status';
import type { PublicMonitor } from '@/lib/schemas/status-pages/status-page';

/** The public data of monitors with full day bars, in the order of `ids`, in four queries. */
export async function readShownMonitors({ db }: Pick<Services, 'db'>, ids: string[], now: Date) {
  const silences = await readSilences(db, ids, now);
  const [monitors, uptimes, bars] = await Promise.all([
    readMonitorStatuses(db, ids, silences),
    readUptimes(db, ids, { now, silences }),
    readDayBars(db, ids, { until: now, silences }),
  ]);
  return monitors.map((monitor) => ({
    ...monitor,
    uptimePercentage: uptimes.get(monitor.id) ?? 100,
    days: bars.get(monitor.id) ?? [],
  }));
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
