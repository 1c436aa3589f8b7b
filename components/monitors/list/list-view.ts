import type { MonitorOverview } from '@/lib/domain/monitors/lists/list-overviews';
import { STANDINGS, type Standing, standingOf, summarize } from '../standing-badge';
import type { ListQuery, Sort, SortKey } from './list-query';

/** What the list shows. */
export type ListView = {
  /** The matching monitors in their order; only the first of them until all are loaded. */
  shown: readonly MonitorOverview[];
  /** The number of matching monitors. */
  matching: number;
  /** The number of monitors. */
  total: number;
  /** Matching monitors per standing, regardless of the standings chosen. */
  counts: ReadonlyMap<Standing, number>;
  /** What the monitors can be filtered by. */
  types: readonly string[];
  tags: readonly string[];
  summary: string;
};

/** The list as the query asks for it: filtered, in order, with the counts that its filters show. */
export function viewList(monitors: readonly MonitorOverview[], query: ListQuery): ListView {
  const shown = selectMonitors(monitors, query);
  return {
    shown,
    matching: shown.length,
    total: monitors.length,
    counts: countStandings(monitors, query),
    types: listChoices(monitors.map(({ type }) => type)),
    tags: listChoices(monitors.flatMap(({ tags }) => tags)),
    summary: summarize(monitors),
  };
}

/** The matching monitors in the requested order; ties are ordered by name. */
function selectMonitors(monitors: readonly MonitorOverview[], query: ListQuery): MonitorOverview[] {
  const { standings } = query;
  return monitors
    .filter((monitor) => standings.length === 0 || standings.includes(standingOf(monitor)))
    .filter(matching(query))
    .sort(ordering(query.sort));
}

/** Matching monitors per standing, regardless of the standings chosen. */
function countStandings(monitors: readonly MonitorOverview[], query: ListQuery) {
  const counts = new Map<Standing, number>(STANDINGS.map((standing) => [standing, 0]));
  for (const monitor of monitors.filter(matching(query))) {
    const standing = standingOf(monitor);
    counts.set(standing, (counts.get(standing) ?? 0) + 1);
  }
  return counts;
}

/** Each value once, ordered by name. */
function listChoices(values: readonly string[]): string[] {
  return [...new Set(values)].sort(byName.compare);
}

/** Matches the type, the tag, and every word of the search in the name, the target, or a tag. */
function matching({ q, type, tag }: ListQuery): (monitor: MonitorOverview) => boolean {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return (monitor) => {
    if (type !== null && monitor.type !== type) return false;
    if (tag !== null && !monitor.tags.includes(tag)) return false;
    if (words.length === 0) return true;
    const text = [monitor.name, monitor.url, ...monitor.tags].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

const byName = new Intl.Collator('en', { numeric: true });

type Value = string | number | null;

/** What the monitors are ordered by, except for their name; null is unknown. */
const sortValues: Record<Exclude<SortKey, 'name'>, (monitor: MonitorOverview) => Value> = {
  status: (monitor) => STANDINGS.indexOf(standingOf(monitor)),
  uptime: ({ uptimePercentage }) => uptimePercentage,
  p95: ({ p95 }) => p95,
  checked: ({ lastCheckedAt }) => lastCheckedAt,
  changed: ({ changedAt }) => changedAt,
};

type Order = (a: MonitorOverview, b: MonitorOverview) => number;

function ordering({ key, isDescending }: Sort): Order {
  const direction = isDescending ? -1 : 1;
  const compareNames: Order = (a, b) => byName.compare(a.name, b.name);
  const compareKeys: Order =
    key === 'name'
      ? (a, b) => direction * compareNames(a, b)
      : (a, b) => compare(sortValues[key](a), sortValues[key](b), direction);
  // The ID makes the order stable, regardless of the order that the next refresh returns.
  return (a, b) => compareKeys(a, b) || compareNames(a, b) || compare(a.id, b.id, 1);
}

/** Unknown values come last in either direction. */
function compare(a: Value, b: Value, direction: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a === b ? 0 : a < b ? -direction : direction;
}
