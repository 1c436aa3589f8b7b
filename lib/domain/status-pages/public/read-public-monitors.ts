import { mapInTurns } from '@/lib/core/map-in-turns';
import type { Services } from '@/lib/domain/context/services';
import { correctedBars } from '@/lib/domain/monitors/corrections/read-corrected';
import { startOfBars } from '@/lib/domain/monitors/history/day-bars';
import { barsOf, readDays } from '@/lib/domain/monitors/history/read-days';
import { uptimeForApi } from '@/lib/domain/monitors/lists/current-monitors';
import { readMonitorsWithLedgers } from '@/lib/domain/status-pages/read-page-status';
import type { PublicMonitor } from '@/lib/schemas/status-pages/public-status-page';

/** The public data of monitors with full day bars, in the order of `ids`, in two queries, or as many more as `readCurrentMonitors` says. */
export async function readShownMonitors({ db }: Pick<Services, 'db'>, ids: string[], now: Date) {
  const [monitors, days] = await Promise.all([
    readMonitorsWithLedgers(db, ids, now, startOfBars(now)),
    readDays(db, ids, { until: now }),
  ]);
  return mapInTurns(monitors, ({ monitor, ledger }) => {
    if (ledger) return { ...monitor, days: correctedBars(ledger, now) };
    const own = days.get(monitor.id);
    const noDataSince = monitor.noDataSince === null ? null : new Date(monitor.noDataSince);
    return { ...monitor, days: own ? barsOf(own, noDataSince) : [] };
  });
}

/** The same with days as the API returns them. */
export async function readPublicMonitors(
  services: Pick<Services, 'db'>,
  ids: string[],
  now: Date,
): Promise<PublicMonitor[]> {
  const monitors = await readShownMonitors(services, ids, now);
  return mapInTurns(monitors, ({ days, ...monitor }) => ({
    ...monitor,
    uptimePercentage: uptimeForApi(monitor.uptimePercentage),
    days: days.map(({ date, status, uptimePercentage, measured }) => ({
      date,
      status,
      uptimePercentage,
      ...(measured && { measured }),
    })),
  }));
}
