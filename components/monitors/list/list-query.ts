import type { MonitorOverview } from '@/lib/domain/monitors/lists/list-overviews';
import { STANDINGS, type Standing, standingOf } from '../standing-badge';

/** What the list can be sorted by, and the first direction of each: worst, slowest, or latest on top. */
export const SORTS = {
  status: { label: 'Status', startsDescending: false },
  name: { label: 'Name', startsDescending: false },
  uptime: { label: 'Uptime', startsDescending: false },
  p95: { label: 'Response', startsDescending: true },
  checked: { label: 'Last check', startsDescending: true },
} as const;

export type SortKey = keyof typeof SORTS;
export type Sort = { key: SortKey; isDescending: boolean };

/** The list's filters and order, kept in the URL. */
export type ListQuery = {
  q: string;
  /** Empty for all. */
  standings: readonly Standing[];
  type: string | null;
  tag: string | null;
  sort: Sort;
};

export const WHOLE_LIST: ListQuery = {
  q: '',
  standings: [],
  type: null,
  tag: null,
  sort: { key: 'status', isDescending: false },
};

/** Parses the query of a URL. Ignores unknown parameters and values: an old link shows more monitors rather than an error. */
export function readListQuery(params: Pick<URLSearchParams, 'get'>): ListQuery {
  const standings = params.get('status')?.split(',') ?? [];
  return {
    q: params.get('q') ?? '',
    standings: STANDINGS.filter((standing) => standings.includes(standing)),
    type: params.get('type'),
    tag: params.get('tag'),
    sort: readSort(params.get('sort') ?? ''),
  };
}

/** The query string of a list with its `?`; empty for the whole list. */
export function writeListQuery({ q, standings, type, tag, sort }: ListQuery): string {
  const params = new URLSearchParams();
  if (q.trim() !== '') params.set('q', q.trim());
  if (standings.length > 0) params.set('status', standings.join(','));
  if (type !== null) params.set('type', type);
  if (tag !== null) params.set('tag', tag);
  const order = writeSort(sort);
  if (order !== writeSort(WHOLE_LIST.sort)) params.set('sort', order);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** The order after a click on a column: its first direction, then the opposite. */
export function toggleSort(current: Sort, key: SortKey): Sort {
  const isDescending = current.key === key ? !current.isDescending : SORTS[key].startsDescending;
  return { key, isDescending };
}

/** Whether any filter is set. */
export function isFiltered({ q, standings, type, tag }: ListQuery): boolean {
  return q.trim() !== '' || standings.length > 0 || type !== null || tag !== null;
}

function readSort(text: string): Sort {
  const name = text.replace(/^-/, '');
  const key = (Object.keys(SORTS) as SortKey[]).find((each) => each === name);
  return key ? { key, isDescending: text.startsWith('-') } : WHOLE_LIST.sort;
}

function writeSort({ key, isDescending }: Sort): string {
  return isDescending ? `-${key}` : key;
}

/** The matching monitors in the requested order; ties are ordered by name. */
export function selectMonitors(monitors: readonly MonitorOverview[], query: ListQuery): MonitorOverview[] {
  const { standings } = query;
  return monitors
    .filter((monitor) => standings.length === 0 || standings.includes(standingOf(monitor)))
    .filter(matching(query))
    .sort(ordering(query.sort));
}

/** Matching monitors per standing, regardless of the standings chosen. */
export function countStandings(monitors: readonly MonitorOverview[], query: ListQuery) {
  const counts = new Map<Standing, number>(STANDINGS.map((standing) => [standing, 0]));
  for (const monitor of monitors.filter(matching(query))) {
    const standing = standingOf(monitor);
    counts.set(standing, (counts.get(standing) ?? 0) + 1);
  }
  return counts;
}

/** Each value once, ordered by name. */
export function listChoices(values: readonly string[]): string[] {
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
