import type { Services } from '@/lib/domain/context/services';
import { dayBars, startOfBars } from '@/lib/domain/monitors/history/day-bars';
import { readPeriods, uptimeWithin, WINDOW_MS } from '@/lib/domain/monitors/history/uptime';
import { readSilences } from '@/lib/domain/monitors/silence';
import type { DayBar } from '@/lib/schemas/monitor/stats';
import type { PublicMonitor } from '@/lib/schemas/status-pages/status-page';

/** A public monitor with full day bars. */
export type ShownMonitor = Omit<PublicMonitor, 'days'> & { days: DayBar[] };

type Row = Omit<PublicMonitor, 'uptimePercentage' | 'lastCheckedAt' | 'noDataSince' | 'days'> & {
  lastCheckedAt: Date | null;
};

/** The public data of monitors, in the order of `ids`, in three queries. Selects columns one by one, never URLs, headers or bodies. */
export async function readShownMonitors(
  { db }: Pick<Services, 'db'>,
  ids: string[],
  now: Date,
): Promise<ShownMonitor[]> {
  const silences = await readSilences(db, ids, now);
  const [rows, periods] = await Promise.all([
    db.$queryRaw<Row[]>`
      SELECT monitor.id, monitor.name, monitor.type::text AS type, monitor.enabled,
             coalesce(state.status::text, 'pending') AS status,
             monitor.enabled AND state.status_before_maintenance IS NOT NULL AS "inMaintenance",
             state.last_checked_at AS "lastCheckedAt", state.last_response_time AS "lastResponseTime"
        FROM monitor LEFT JOIN monitor_state AS state ON state.monitor_id = monitor.id
       WHERE monitor.id = ANY(${ids})
       ORDER BY array_position(${ids}, monitor.id)`,
    readPeriods(db, ids, { since: startOfBars(now), now, silences }),
  ]);
  // The bars cover the trailing 30 days.
  const since = new Date(now.getTime() - WINDOW_MS['30d']);
  return rows.map(({ lastCheckedAt, ...row }) => {
    const own = periods.get(row.id) ?? [];
    return {
      ...row,
      uptimePercentage: uptimeWithin(own, since, now) ?? 100,
      lastCheckedAt: lastCheckedAt?.toISOString() ?? null,
      noDataSince: silences.get(row.id)?.noDataSince?.toISOString() ?? null,
      days: dayBars(own, now),
    };
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
