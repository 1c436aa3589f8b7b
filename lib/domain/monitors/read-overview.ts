import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { DayBar, MonitorStats, StatsQuery, Uptimes, UptimeWindow } from '@/lib/schemas/monitor/stats';
import { REGIONS, type RegionId } from '@/lib/schemas/regions';
import { findMonitorNumber } from './find-monitor';
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

/** All charts of a monitor's page, in four queries, or six with rollups. Throws NOT_FOUND. */
export async function readOverview(
  ctx: OrganizationContext,
  id: string,
  window: UptimeWindow,
): Promise<Overview> {
  const { now, buckets, periods, measurements, uptime, days } = await readHistory(ctx, id, { window });
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
  const history = await readHistory(ctx, id, { window, region });
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
async function readHistory(ctx: OrganizationContext, id: string, { window, region }: StatsQuery) {
  const now = ctx.clock.now();
  const buckets = chartBuckets(window, now);
  const monitor = await findMonitorNumber(ctx, id);
  const silences = await readSilences(ctx.db, [id], now);
  // The trailing 90 days, the day bars and the chart start at different times.
  const starts = [buckets.from, startOfBars(now), new Date(now.getTime() - WINDOW_MS['90d'])];
  const since = new Date(Math.min(...starts.map((start) => start.getTime())));
  const [ledger, measurements] = await Promise.all([
    readPeriods(ctx.db, [id], { since, now, silences }),
    readMeasurements(ctx.db, window, { monitor, region, buckets, now }),
  ]);
  const periods = (ledger.get(id) ?? []).sort((a, b) => a.from.getTime() - b.from.getTime());
  const [uptime, days] = [uptimesOf(periods, now), dayBars(periods, now)];
  return { now, buckets, periods, measurements, uptime, days };
}
