import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { findMonitorNumber } from '@/lib/domain/monitors/find-monitor';
import { readSilences, type Silences } from '@/lib/domain/monitors/silence';
import type { Database } from '@/lib/platform/db/client';
import type { DayBar, MonitorStats, StatsQuery } from '@/lib/schemas/monitor/stats';
import { dayBars, startOfBars } from './day-bars';
import { addUpMeasurements, listBuckets, readMeasurements } from './measured-buckets';
import { chartBuckets } from './read-latency';
import { readPeriods, readUptimeWindows } from './uptime';

/**
 * The statistics of a monitor over a window with the data of its charts, in a fixed number of queries. `region` filters checks,
 * failures and latency; uptime and day bars are of the whole monitor. Throws NOT_FOUND.
 */
export async function readStats(
  ctx: OrganizationContext,
  id: string,
  { window, region }: StatsQuery,
): Promise<MonitorStats> {
  const now = ctx.clock.now();
  const buckets = chartBuckets(window, now);
  const monitor = await findMonitorNumber(ctx, id);
  const silences = await readSilences(ctx.db, [id], now);
  const [uptimes, bars, measurements] = await Promise.all([
    readUptimeWindows(ctx.db, [id], now, silences),
    readDayBars(ctx.db, [id], now, silences),
    readMeasurements(ctx.db, window, { monitor, region, buckets, now }),
  ]);
  const uptime = uptimes.get(id) ?? { '24h': null, '7d': null, '30d': null, '90d': null };
  return {
    window,
    region: region ?? null,
    from: buckets.from.toISOString(),
    to: now.toISOString(),
    uptimePercentage: uptime[window],
    ...addUpMeasurements(measurements),
    uptime,
    buckets: listBuckets(buckets, measurements, now),
    days: bars.get(id) ?? [],
  };
}

/** The 90 day bars of monitors, oldest first, by monitor ID, in one query. */
export async function readDayBars(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: string[],
  now: Date,
  silences: Silences,
): Promise<Map<string, DayBar[]>> {
  const periods = await readPeriods(db, monitorIds, { since: startOfBars(now), now, silences });
  return new Map(monitorIds.map((id) => [id, dayBars(periods.get(id) ?? [], now)]));
}
