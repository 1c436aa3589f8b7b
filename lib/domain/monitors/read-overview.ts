import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Monitor } from '@/lib/schemas/monitor';
import type { DayBar, MonitorStats, StatsQuery, Uptimes, UptimeWindow } from '@/lib/schemas/monitor/stats';
import { REGIONS, type RegionId } from '@/lib/schemas/regions';
import { findMonitorNumber, ownMonitor } from './find-monitor';
import { dayBars, startOfBars } from './history/day-bars';
import {
  addUpMeasurements,
  listBuckets,
  type Measured,
  type Measurement,
  readMeasurements,
} from './history/measured-buckets';
import { type Period, readPeriods } from './history/periods';
import { chartBuckets } from './history/read-latency';
import { uptimesOf, WINDOW_MS } from './history/uptime';
import { readSilences } from './silence';

/** The measurements of a window and of each of its buckets. */
export type Series = Measured & { buckets: MonitorStats['buckets'] };

/** The history of a monitor over a window, in total and from each region with results. */
export type Overview = {
  window: UptimeWindow;
  from: Date;
  to: Date;
  /** Up to now, independent of the window. */
  uptime: Uptimes;
  days: DayBar[];
  /** The status periods of the window, oldest first; the first can start earlier, the last is the current one. */
  periods: Period[];
  together: Series;
  regions: (Series & { region: RegionId })[];
};

/** All charts of a monitor's page, in two queries. Throws NOT_FOUND. */
export async function readOverview(
  ctx: OrganizationContext,
  monitor: Pick<Monitor, 'id' | 'noDataSince'>,
  window: UptimeWindow,
): Promise<Overview> {
  const noDataSince = monitor.noDataSince === null ? null : new Date(monitor.noDataSince);
  const history = await readHistory(ctx, { id: monitor.id, noDataSince }, { window });
  const { now, buckets, periods, measurements, uptime, days } = history;
  const seriesOf = (measured: Measurement[]): Series => ({
    ...addUpMeasurements(measured),
    buckets: listBuckets(buckets, measured, now),
  });
  return {
    window,
    from: buckets.from,
    to: now,
    uptime,
    days,
    periods: periods.filter(({ to }) => to === null || to > buckets.from),
    together: seriesOf(measurements),
    regions: REGIONS.flatMap(({ id: region, number }) => {
      const own = measurements.filter((measurement) => measurement.region === number);
      return own.length > 0 ? [{ region, ...seriesOf(own) }] : [];
    }),
  };
}

/**
 * The statistics of a monitor over a window with the data of its charts, in a fixed number of queries. `region` filters checks,
 * failures and latency; uptime and day bars are of the whole monitor. Throws NOT_FOUND.
 */
export async function readStats(
  ctx: OrganizationContext,
  id: string,
  { window, region }: StatsQuery,
): Promise<MonitorStats> {
  const silences = await readSilences(ctx.db, [id], ctx.clock.now());
  const noDataSince = silences.get(id)?.noDataSince ?? null;
  const history = await readHistory(ctx, { id, noDataSince }, { window, region });
  const { now, buckets, measurements, uptime, days } = history;
  return {
    window,
    region: region ?? null,
    from: buckets.from.toISOString(),
    to: now.toISOString(),
    uptimePercentage: uptime[window],
    ...addUpMeasurements(measurements),
    uptime,
    buckets: listBuckets(buckets, measurements, now),
    days,
  };
}

/** The measurements of a window, and the status periods of at least 90 days, oldest first. */
async function readHistory(
  ctx: OrganizationContext,
  { id, noDataSince }: { id: string; noDataSince: Date | null },
  { window, region }: StatsQuery,
) {
  requirePermission(ctx, 'monitor.read');
  const now = ctx.clock.now();
  const buckets = chartBuckets(window, now);
  // The trailing 90 days, the day bars and the chart start at different times.
  const starts = [buckets.from, startOfBars(now), new Date(now.getTime() - WINDOW_MS['90d'])];
  const since = new Date(Math.min(...starts.map((start) => start.getTime())));
  const [ledger, measurements] = await Promise.all([
    readPeriods(ctx.db, ownMonitor('id', ctx, id), {
      since,
      now,
      silences: new Map([[id, { noDataSince }]]),
    }),
    readMeasurements(ctx.db, window, { monitor: ownMonitor('number', ctx, id), region, buckets, now }),
  ]);
  const own = ledger.get(id);
  if (own === undefined) await findMonitorNumber(ctx, id);
  const periods = (own ?? []).sort((a, b) => a.from.getTime() - b.from.getTime());
  const [uptime, days] = [uptimesOf(periods, now), dayBars(periods, now)];
  return { now, buckets, periods, measurements, uptime, days };
}
