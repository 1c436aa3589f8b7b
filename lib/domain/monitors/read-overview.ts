import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { DayBar, MonitorStats, Uptimes, UptimeWindow } from '@/lib/schemas/monitor/stats';
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
import { type ChartBuckets, chartBuckets } from './history/read-latency';
import { type Period, readPeriods, uptimeWithin, WINDOW_MS } from './history/uptime';
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
  const now = ctx.clock.now();
  const buckets = chartBuckets(window, now);
  const monitor = await findMonitorNumber(ctx, id);
  const silences = await readSilences(ctx.db, [id], now);
  const [ledger, measurements] = await Promise.all([
    readPeriods(ctx.db, [id], { since: earliest(buckets, now), now, silences }),
    readMeasurements(ctx.db, window, { monitor, region: undefined, buckets, now }),
  ]);
  const periods = (ledger.get(id) ?? []).sort((a, b) => a.from.getTime() - b.from.getTime());
  const uptime = (over: UptimeWindow) =>
    uptimeWithin(periods, new Date(now.getTime() - WINDOW_MS[over]), now);
  const seriesOf = (measured: Measurement[]): Series => ({
    ...addUpMeasurements(measured),
    buckets: listBuckets(buckets, measured, now),
  });
  return {
    window,
    from: buckets.from,
    to: now,
    uptime: { '24h': uptime('24h'), '7d': uptime('7d'), '30d': uptime('30d'), '90d': uptime('90d') },
    days: dayBars(periods, now),
    periods: periods.filter(({ to }) => to === null || to > buckets.from),
    together: seriesOf(measurements),
    regions: REGIONS.flatMap(({ id: region, number }) => {
      const own = measurements.filter((measurement) => measurement.region === number);
      return own.length > 0 ? [{ region, ...seriesOf(own) }] : [];
    }),
  };
}

/** The trailing 90 days, the day bars and the chart start at different times. */
function earliest(buckets: ChartBuckets, now: Date): Date {
  const starts = [buckets.from, startOfBars(now), new Date(now.getTime() - WINDOW_MS['90d'])];
  return new Date(Math.min(...starts.map((start) => start.getTime())));
}
