import type { MonitorOverview } from '@/lib/domain/monitors/lists/list-overviews';
import { STANDINGS, standingOf } from '../standing-badge';
import type { Sort, SortKey } from './list-query';

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

const byName = new Intl.Collator('en', { numeric: true });

/** Compares texts in natural order: `eu`, `zone 9`, `zone 10`. */
export const compareTexts = byName.compare;

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

/** The first `max` in an order: of thousands, most are compared once, with the last of those. */
function pickFirst(entries: readonly Entry[], order: Order, max: number): Entry[] {
  const first: Entry[] = [];
  for (const entry of entries) {
    const last = first[max - 1];
    if (last !== undefined && order(last, entry) <= 0) continue;
    first.splice(findPlace(first, entry, order), 0, entry);
    first.splice(max);
  }
  return first;
}

/** Where an entry belongs among others in order. */
function findPlace(sorted: readonly Entry[], entry: Entry, order: Order): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = sorted[middle];
    if (other !== undefined && order(other, entry) <= 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Unknown values come last in either direction. */
function compare(a: Value, b: Value, direction: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a === b ? 0 : a < b ? -direction : direction;
}
