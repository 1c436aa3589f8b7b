import { SLOW_TO_ALERT } from '@/lib/checks/alert-delay';
import type { MonitorOverview } from '@/lib/domain/monitors/lists/list-overviews';
import { countStandings, STANDINGS, type Standing, standingOf, summarize } from '../standing-badge';
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

/** Lists up to this long are rendered completely, for the browser's own search to find every row. */
export const MAX_COMPLETE = 100;

/** The rows of longer lists that the server renders, and the browser until it knows its viewport. */
export const FIRST_ROWS = 32;

/** How many rows of a list the server renders. */
export function countFirstRows(count: number): number {
  return count <= MAX_COMPLETE ? count : FIRST_ROWS;
}

/** The list as the query asks for it: filtered, in order, with the counts that its filters show. `countShown`: how many of the matching monitors it shows. */
export function viewList(
  monitors: readonly MonitorOverview[],
  query: ListQuery,
  countShown = (matching: number) => matching,
): ListView {
  const { standings, sort } = query;
  const matching = monitors.filter(matchingTo(query));
  const isChosen = (monitor: MonitorOverview) => standings.includes(standingOf(monitor));
  const chosen = standings.length === 0 ? matching : matching.filter(isChosen);
  return {
    shown: sortMonitors(chosen, sort, countShown(chosen.length)),
    matching: chosen.length,
    total: monitors.length,
    counts: countStandings(matching),
    types: listChoices(monitors.map(({ type }) => type)),
    tags: listChoices(monitors.flatMap(({ tags }) => tags)),
    summary: summarize(monitors),
  };
}

/** Each value once, ordered by name. */
function listChoices(values: readonly string[]): string[] {
  return [...new Set(values)].sort(compareTexts);
}

/** Matches the type, the tag, whether alerts come late, and every word of the search in the name, the target, or a tag. */
function matchingTo({ q, type, tag, isSlowToAlert }: ListQuery): (monitor: MonitorOverview) => boolean {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return (monitor) => {
    if (type !== null && monitor.type !== type) return false;
    if (tag !== null && !monitor.tags.includes(tag)) return false;
    if (isSlowToAlert && monitor.alertsAfter <= SLOW_TO_ALERT) return false;
    if (words.length === 0) return true;
    const text = [monitor.name, monitor.url, ...monitor.tags].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

type Value = string | number | null;

/** What the monitors are ordered by, then by their name; null is unknown. */
const sortValues: Record<SortKey, (monitor: MonitorOverview) => Value> = {
  status: (monitor) => STANDINGS.indexOf(standingOf(monitor)),
  name: () => 0,
  uptime: ({ uptimePercentage }) => uptimePercentage,
  p95: ({ p95 }) => p95,
  checked: ({ lastCheckedAt }) => lastCheckedAt,
  changed: ({ changedAt }) => changedAt,
};

/** A monitor and its value, which is computed once instead of for each comparison. */
type Entry = { monitor: MonitorOverview; value: Value };
type Order = (a: Entry, b: Entry) => number;

/** Compares texts in natural order: `eu`, `zone 9`, `zone 10`. */
const { compare: compareTexts } = new Intl.Collator('en', { numeric: true });

/** The monitors in the requested order, or the first `max` of them; ties are ordered by name. */
export function sortMonitors(
  monitors: readonly MonitorOverview[],
  { key, isDescending }: Sort,
  max = Number.POSITIVE_INFINITY,
): MonitorOverview[] {
  const read = sortValues[key];
  const entries = monitors.map((monitor): Entry => ({ monitor, value: read(monitor) }));
  const direction = isDescending ? -1 : 1;
  const nameDirection = key === 'name' ? direction : 1;
  // The ID makes the order stable, regardless of the order that the next refresh returns.
  const order: Order = (a, b) =>
    compare(a.value, b.value, direction) ||
    nameDirection * compareTexts(a.monitor.name, b.monitor.name) ||
    compare(a.monitor.id, b.monitor.id, 1);
  const sorted = entries.length > max ? pickFirst(entries, order, max) : entries.sort(order);
  return sorted.map(({ monitor }) => monitor);
}

/** The first `max` in an order. Of thousands, most are compared once, with the last of those found so far. */
function pickFirst(entries: readonly Entry[], order: Order, max: number): Entry[] {
  const found: Entry[] = [];
  let last: Entry | undefined;
  for (const entry of entries) {
    if (last !== undefined && order(last, entry) <= 0) continue;
    found.push(entry);
    if (found.length < 2 * max) continue;
    found.sort(order).splice(max);
    last = found[max - 1];
  }
  return found.sort(order).slice(0, max);
}

/** Unknown values come last in either direction. */
function compare(a: Value, b: Value, direction: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a === b ? 0 : a < b ? -direction : direction;
}
