import { mapInTurns } from '@/lib/core/map-in-turns';
import type { Services } from '@/lib/domain/context/services';
import { type CorrectedLedger, correctedBars } from '@/lib/domain/monitors/corrections/read-corrected';
import { startOfBars } from '@/lib/domain/monitors/history/day-bars';
import { barsOf, type Days, readDays, uptimeOfDays } from '@/lib/domain/monitors/history/read-days';
import { uptimeWithin } from '@/lib/domain/monitors/history/uptime';
import { uptimeForApi } from '@/lib/domain/monitors/lists/current-monitors';
import { type MonitorStatusRow, readMonitorsWithLedgers } from '@/lib/domain/status-pages/read-page-status';
import type { DayBar } from '@/lib/schemas/monitor/stats';
import type { PublicMonitor } from '@/lib/schemas/status-pages/public-status-page';
import { RECENT_DAYS, type UptimeDays } from '@/lib/schemas/status-pages/uptime-days';

/** The uptime over the last `days` days, today included: what their bars show. null: unknown. */
export type ShownUptime = {
  days: number;
  percentage: number | null;
  /** The uptime without corrections, if they change it. */
  measured?: number | null;
};

/** A monitor with what its history is made of: its ledger if it has corrections, otherwise its days. */
type Recorded = { monitor: MonitorStatusRow; ledger: CorrectedLedger | null; days: Days | undefined };

/** In two queries, or as many more as `readCurrentMonitors` says. */
async function readRecorded({ db }: Pick<Services, 'db'>, ids: string[], now: Date): Promise<Recorded[]> {
  const [monitors, days] = await Promise.all([
    readMonitorsWithLedgers(db, ids, now, startOfBars(now)),
    readDays(db, ids, { until: now }),
  ]);
  return monitors.map((each) => ({ ...each, days: days.get(each.monitor.id) }));
}

/**
 * The public data of monitors in the order of `ids`, with the last `uptimeDays` days as bars and the uptime over these days, and over the last of
 * them that fit on a phone if those are fewer. In two queries, or as many more as `readCurrentMonitors` says.
 */
export async function readShownMonitors(
  services: Pick<Services, 'db'>,
  ids: string[],
  { now, uptimeDays }: { now: Date; uptimeDays: UptimeDays },
) {
  const recorded = await readRecorded(services, ids, now);
  return mapInTurns(recorded, (each) => {
    const { uptimePercentage: _, measuredUptimePercentage: _measured, ...monitor } = each.monitor;
    const days = listBars(each, now);
    return {
      ...monitor,
      days: days.length > uptimeDays ? days.slice(-uptimeDays) : days,
      uptime: uptimeOver(each, uptimeDays, now),
      recentUptime: uptimeDays > RECENT_DAYS ? uptimeOver(each, RECENT_DAYS, now) : null,
    };
  });
}

/** The same as the API returns them, always with 90 days and the uptime over 30 days. */
export async function readPublicMonitors(
  services: Pick<Services, 'db'>,
  ids: string[],
  now: Date,
): Promise<PublicMonitor[]> {
  const recorded = await readRecorded(services, ids, now);
  return mapInTurns(recorded, (each) => ({
    ...each.monitor,
    uptimePercentage: uptimeForApi(each.monitor.uptimePercentage),
    days: listBars(each, now).map(({ date, status, uptimePercentage, measured }) => ({
      date,
      status,
      uptimePercentage,
      ...(measured && { measured }),
    })),
  }));
}

function listBars({ monitor, ledger, days }: Recorded, now: Date): DayBar[] {
  if (ledger) return correctedBars(ledger, now);
  return days ? barsOf(days, endOfData(monitor)) : [];
}

function uptimeOver({ monitor, ledger, days: recorded }: Recorded, days: UptimeDays, now: Date): ShownUptime {
  const measured = recorded ? uptimeOfDays(recorded, endOfData(monitor), days) : null;
  if (ledger === null) return { days, percentage: measured };
  const percentage = uptimeWithin(ledger.corrected, startOfBars(now, days), now);
  return percentage === measured ? { days, percentage } : { days, percentage, measured };
}

function endOfData({ noDataSince }: MonitorStatusRow): Date | null {
  return noDataSince === null ? null : new Date(noDataSince);
}
