import { nameRegion, type RegionNames } from '@/components/monitors/regions/name-region';
import type { IncidentSummary } from '@/lib/domain/incidents/read-incidents';
import type { Overview, Series } from '@/lib/domain/monitors/read-overview';
import type { Marker } from '@/lib/schemas/monitor/marker';

/** A chart line: one value per bucket, and one for the whole chart. */
export type ChartLine = { key: string; label: string; values: (number | null)[]; total: number | null };

/** Lines that are drawn over each other, with the failures among their checks. */
export type ChartLane = {
  key: string;
  lines: ChartLine[];
  /** Per bucket: the share of checks that failed. */
  shares: number[];
  /** When checks failed, in epoch milliseconds; null where only the shares are known. */
  marks: number[] | null;
};

/** A highlighted period: a ledger state other than operational. Epoch milliseconds. */
export type ChartBand = { state: MarkedState; from: number; to: number };

/** Plain data for the chart: `count` buckets of `width` milliseconds from `from`; the last one ends at `end`. */
export type ChartData = ReturnType<typeof chartData>;

const MARKED = ['down', 'degraded', 'maintenance', 'paused', 'unknown'] as const;
export type MarkedState = (typeof MARKED)[number];

type Shown = {
  by: 'all' | 'region';
  names: RegionNames;
  incidents: readonly IncidentSummary[];
  markers: readonly Pick<Marker, 'id' | 'title' | 'occurredAt'>[];
};

/** Percentiles across all regions, or the median of each in a lane of its own, plus states and incidents. */
export function chartData(overview: Overview, { by, names, incidents, markers }: Shown) {
  const { window, from, to, width, together, periods } = overview;
  const frame = { from: from.getTime(), to: to.getTime() };
  const lanes = by === 'region' ? lanesByRegion(overview, names) : [percentileLane(overview)];
  return {
    window,
    from: frame.from,
    width,
    count: together.buckets.length,
    end: frame.to,
    lanes,
    lines: lanes.flatMap((lane) => lane.lines),
    /** Per bucket: checks with a known outcome, and how many of them failed. */
    checks: together.buckets.map(({ checks }) => checks),
    failures: together.buckets.map(({ failures }) => failures),
    bands: periods.flatMap(({ state, from: start, to: end }): ChartBand[] => {
      const marked = MARKED.find((each) => each === state);
      return marked ? [{ state: marked, from: start.getTime(), to: end?.getTime() ?? frame.to }] : [];
    }),
    /** Deploys within the chart, in epoch milliseconds. */
    markers: markers
      .map(({ id, title, occurredAt }) => ({ id, title, at: Date.parse(occurredAt) }))
      .filter(({ at }) => at >= frame.from && at <= frame.to),
    /** Those that overlap the chart. Epoch milliseconds. */
    incidents: incidents
      .map(({ id, title, startedAt, resolvedAt }) => ({
        id,
        title,
        from: Date.parse(startedAt),
        to: resolvedAt === null ? frame.to : Date.parse(resolvedAt),
      }))
      .filter((incident) => incident.to > frame.from && incident.from < frame.to),
  };
}

function percentileLane({ together, marks }: Overview): ChartLane {
  const lines = (['p50', 'p95', 'p99'] as const).map((key) => ({
    key,
    label: key === 'p50' ? 'Median' : key,
    values: together.buckets.map((bucket) => bucket[key]),
    total: together.latency[key],
  }));
  return {
    key: 'all',
    lines,
    shares: sharesOf(together),
    marks: marks?.map(({ at }) => at.getTime()) ?? null,
  };
}

function lanesByRegion({ regions, marks }: Overview, names: RegionNames): ChartLane[] {
  return regions.map(({ region, addUp }) => {
    const series = addUp();
    return {
      key: region,
      lines: [
        {
          key: region,
          label: nameRegion(names, region),
          values: series.buckets.map(({ p50 }) => p50),
          total: series.latency.p50,
        },
      ],
      shares: sharesOf(series),
      marks: marks?.filter((mark) => mark.region === region).map(({ at }) => at.getTime()) ?? null,
    };
  });
}

function sharesOf({ buckets }: Series): number[] {
  return buckets.map(({ checks, failures }) => failures / Math.max(1, checks));
}
