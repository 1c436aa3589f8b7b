import { STANDINGS, type Standing } from '../standing-badge';

/** What the list can be sorted by, and the first direction of each: worst, slowest, or latest on top. */
export const SORTS = {
  status: { label: 'Status', startsDescending: false },
  name: { label: 'Name', startsDescending: false },
  uptime: { label: 'Uptime', startsDescending: false },
  p95: { label: 'Response', startsDescending: true },
  checked: { label: 'Last check', startsDescending: true },
  changed: { label: 'Last change', startsDescending: true },
} as const;

/** The value of `alerts` in the URL. */
const SLOW = 'slow';

export type SortKey = keyof typeof SORTS;
export type Sort = { key: SortKey; isDescending: boolean };

/** The list's filters and order, kept in the URL. */
export type ListQuery = {
  q: string;
  /** Empty for all. */
  standings: readonly Standing[];
  type: string | null;
  tag: string | null;
  /** Only monitors whose alerts come late. */
  isSlowToAlert: boolean;
  sort: Sort;
};

export const WHOLE_LIST: ListQuery = {
  q: '',
  standings: [],
  type: null,
  tag: null,
  isSlowToAlert: false,
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
    isSlowToAlert: params.get('alerts') === SLOW,
    sort: readSort(params.get('sort') ?? ''),
  };
}

/** The query string of a list with its `?`; empty for the whole list. */
export function writeListQuery({ q, standings, type, tag, isSlowToAlert, sort }: ListQuery): string {
  const params = new URLSearchParams();
  if (q.trim() !== '') params.set('q', q.trim());
  if (standings.length > 0) params.set('status', standings.join(','));
  if (type !== null) params.set('type', type);
  if (tag !== null) params.set('tag', tag);
  if (isSlowToAlert) params.set('alerts', SLOW);
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
export function isFiltered({ q, standings, type, tag, isSlowToAlert }: ListQuery): boolean {
  return q.trim() !== '' || standings.length > 0 || type !== null || tag !== null || isSlowToAlert;
}

function readSort(text: string): Sort {
  const name = text.replace(/^-/, '');
  const key = (Object.keys(SORTS) as SortKey[]).find((each) => each === name);
  return key ? { key, isDescending: text.startsWith('-') } : WHOLE_LIST.sort;
}

function writeSort({ key, isDescending }: Sort): string {
  return isDescending ? `-${key}` : key;
}
