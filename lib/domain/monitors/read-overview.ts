import { groupBy } from '@/lib/core/groups';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Monitor } from '@/lib/schemas/monitor';
import type { ChartWindow, DayBar, MonitorStats, StatsQuery, Uptimes } from '@/lib/schemas/monitor/stats';
import { type RegionId, regionOf } from '@/lib/schemas/regions';
import { applyCorrections } from './corrections/apply-corrections';
import { correctedBars } from './corrections/read-corrected';
import { findMonitorNumber, ownMonitor } from './find-monitor';
import { type ChartRange, chartBuckets, isRaw } from './history/chart-range';
import { startOfBars } from './history/day-bars';
import {
  addUpMeasurements,
  type BucketSums,
  type FailureMark,
  listBuckets,
  type Measured,
  type Measurement,
  readFailures,
  readMeasurements,
  sumBuckets,
} from './history/measured-buckets';
import { type Period, readLedgers } from './history/periods';
import { uptimesOf, uptimeWithin, WINDOW_MS } from './history/uptime';
import { readSilences } from './silence';

/** The measurements of a window and of each of its buckets. */
export type Series = Measured & { buckets: BucketSums[] };

/** The history of a monitor over a range, in total and from each region with results. */
export type Overview = {
  /** Null if the range is a part of the past. */
  window: ChartWindow | null;
  from: Date;
  to: Date;
  /** The width of a bucket in milliseconds. */
  width: number;
  /** Up to now, independent of the window. */
  uptime: Uptimes;
  /** The same without corrections; null if there are none. */
  measuredUptime: Uptimes | null;
  days: DayBar[];
  /** The status periods of the range, oldest first; the first can start earlier, the last can end later. */
  periods: Period[];
  together: Series;
  /** Each adds up its measurements when it is asked: most charts show no regions. */
  regions: { region: RegionId; addUp: () => Series }[];
  /** When checks failed, oldest first; null where only the number per bucket is known. */
  marks: FailureMark[] | null;
};

/** All charts of a monitor's page, in two queries, and one more if checks failed. Throws NOT_FOUND. */
export async function readOverview(
  ctx: OrganizationContext,
  { id, interval, ...monitor }: Pick<Monitor, 'id' | 'noDataSince' | 'interval'>,
  range: ChartRange,
): Promise<Overview> {
  const noDataSince = monitor.noDataSince === null ? null : new Date(monitor.noDataSince);
  const history = await readHistory(ctx, { id, noDataSince, interval }, { range });
  const { buckets, periods, measurements, uptime, measuredUptime, days } = history;
  const seriesOf = (measured: Measurement[]): Series => ({
    ...addUpMeasurements(measured),
    buckets: sumBuckets(buckets, measured),
  });
  const hasFailures = measurements.some(({ failures }) => failures > 0);
  return {
    window: typeof range === 'string' ? range : null,
    from: buckets.from,
    to: buckets.until,
    width: buckets.width,
    uptime,
    measuredUptime,
    days,
    periods: periods.filter(({ from, to }) => from < buckets.until && (to === null || to > buckets.from)),
    together: seriesOf(measurements),
    regions: [...groupBy(measurements, ({ region }) => region)]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([number, own]) => {
        const region = regionOf(number);
        return region === null ? [] : [{ region, addUp: () => seriesOf(own) }];
      }),
    marks: !isRaw(buckets)
      ? null
      : hasFailures
        ? await readFailures(ctx.db, { monitor: ownMonitor('number', ctx, id), buckets })
        : [],
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
  const history = await readHistory(ctx, { id, noDataSince }, { range: window, region });
  const { now, buckets, periods, corrected, measurements, uptime, measuredUptime, days } = history;
  const since = new Date(now.getTime() - WINDOW_MS[window]);
  return {
    window,
    region: region ?? null,
    from: buckets.from.toISOString(),
    to: now.toISOString(),
    uptimePercentage: uptimeWithin(corrected, since, now),
    ...addUpMeasurements(measurements),
    uptime,
    measured: measuredUptime && {
      uptimePercentage: uptimeWithin(periods, since, now),
      uptime: measuredUptime,
    },
    buckets: listBuckets(buckets, measurements),
    days,
  };
}

/** The measurements of a range, and the status periods of at least 90 days, oldest first, with and without corrections. */
async function readHistory(
  ctx: OrganizationContext,
  { id, noDataSince, interval }: { id: string; noDataSince: Date | null; interval?: number },
  { range, region }: { range: ChartRange; region?: RegionId | undefined },
) {
  requirePermission(ctx, 'monitor.read');
  const now = ctx.clock.now();
  const buckets = chartBuckets(range, now, interval);
  // The trailing 90 days, the day bars and the chart start at different times.
  const starts = [buckets.from, startOfBars(now), new Date(now.getTime() - WINDOW_MS['90d'])];
  const since = new Date(Math.min(...starts.map((start) => start.getTime())));
  const monitorId = ownMonitor('id', ctx, id);
  const [ledgers, measurements] = await Promise.all([
    readLedgers(ctx.db, monitorId, { since, now, silences: new Map([[id, { noDataSince }]]) }),
    readMeasurements(ctx.db, { monitor: ownMonitor('number', ctx, id), region, buckets }),
  ]);
  const own = ledgers.get(id);
  if (own === undefined) await findMonitorNumber(ctx, id);
  const { measured = [], corrections = [] } = own ?? {};
  const periods = measured.sort((a, b) => a.from.getTime() - b.from.getTime());
  const corrected = applyCorrections(periods, corrections);
  return {
    now,
    buckets,
    periods,
    corrected,
    measurements,
    uptime: uptimesOf(corrected, now),
    measuredUptime: corrections.length === 0 ? null : uptimesOf(periods, now),
    days: correctedBars({ measured: periods, corrected, corrections }, now),
  };
}
