import type { IncidentSummary } from '@/lib/domain/incidents/read-incidents';
import type { Overview } from '@/lib/domain/monitors/read-overview';

/** A chart line: one value per bucket, and one for the whole window. */
export type ChartLine = { key: string; label: string; values: (number | null)[]; total: number | null };

/** A highlighted period: a ledger state other than operational. Epoch milliseconds. */
export type ChartBand = { state: MarkedState; from: number; to: number };

/** Plain data for the chart: `count` buckets of `width` milliseconds from `from`; the last one ends at `now`. */
export type ChartData = ReturnType<typeof chartData>;

const MARKED = ['down', 'degraded', 'maintenance', 'paused', 'unknown'] as const;
export type MarkedState = (typeof MARKED)[number];

/** Percentiles across all regions, or the median of each, plus states and incidents. */
export function chartData(
  overview: Overview,
  { by, incidents }: { by: 'all' | 'region'; incidents: readonly IncidentSummary[] },
) {
  const { window, from, to, together, periods } = overview;
  const frame = { from: from.getTime(), to: to.getTime() };
  return {
    window,
    from: frame.from,
    width: widthOf(overview),
    count: together.buckets.length,
    now: frame.to,
    lines: by === 'region' ? linesByRegion(overview) : percentileLines(overview),
    /** Per bucket: checks with a known outcome, and how many of them failed. */
    checks: together.buckets.map(({ checks }) => checks),
    failures: together.buckets.map(({ failures }) => failures),
    bands: periods.flatMap(({ state, from: start, to: end }): ChartBand[] => {
      const marked = MARKED.find((each) => each === state);
      return marked ? [{ state: marked, from: start.getTime(), to: end?.getTime() ?? frame.to }] : [];
    }),
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

/** The last bucket may be cut short; the others have full width. */
function widthOf({ together }: Overview): number {
  const [first, second] = together.buckets;
  if (!first) return 1;
  return Date.parse(second?.from ?? first.to) - Date.parse(first.from);
}

function percentileLines({ together }: Overview): ChartLine[] {
  return (['p50', 'p95', 'p99'] as const).map((key) => ({
    key,
    label: key === 'p50' ? 'Median' : key,
    values: together.buckets.map((bucket) => bucket[key]),
    total: together.latency[key],
  }));
}

function linesByRegion({ regions }: Overview): ChartLine[] {
  return regions.map(({ region, buckets, latency }) => ({
    key: region,
    label: region,
    values: buckets.map(({ p50 }) => p50),
    total: latency.p50,
  }));
}
