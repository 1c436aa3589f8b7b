import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { MonitorStatus } from '@/lib/platform/db/generated/enums';
import { toMs } from '@/lib/platform/db/moment-columns';
import type { ListMonitorsQuery } from '@/lib/schemas/monitor/monitor-query';
import { formatPlace, invalidCursor, type Place, parsePlace } from '@/lib/schemas/query';
import { MONITOR_COLUMNS, type MonitorRow } from '../find-monitor';
import { type CurrentMonitor, completeMonitors, selectMonitors, startOfUptime } from './current-monitors';
import { currentQuery, type Selection } from './current-query';

/** The last moment of 2286; PostgreSQL knows fewer years than JavaScript. */
const MAX_TIME_MS = 9_999_999_999_999;

type SortField = 'name' | 'createdAt' | 'status' | 'statusChangedAt';
type Order = { field: SortField; isDescending: boolean };

/** Problems first. */
const STATUS_ORDER: MonitorStatus[] = ['down', 'degraded', 'pending', 'operational'];

/** As part of the text: PostgreSQL keeps one plan for a statement, and which is best depends on how rare a status is. */
const LITERALS = Object.fromEntries(
  STATUS_ORDER.map((status) => [status, Prisma.raw(`'${status}'::monitor_status`)]),
) as Record<MonitorStatus, Prisma.Sql>;

/** Epoch milliseconds before and after every time: monitors without a ledger are last in both directions. */
const LAST_KEY = { ascending: MAX_TIME_MS + 1, descending: -1 };

/** What monitors are ordered by, then by ID. The first two follow indexes. */
const SORT_KEYS: Record<SortField, (isDescending: boolean) => Prisma.Sql> = {
  name: () => Prisma.sql`lower(monitor.name) COLLATE "C"`,
  createdAt: () => Prisma.sql`monitor.created_at`,
  status: () => Prisma.sql`array_position(${STATUS_ORDER}::monitor_status[], state.status) - 1`,
  statusChangedAt: (isDescending) =>
    Prisma.sql`coalesce(${toMs(Prisma.sql`period.from_at`)},
                        ${isDescending ? LAST_KEY.descending : LAST_KEY.ascending})`,
};

/** PostgreSQL leaves it out where nothing refers to it. */
const STATE = Prisma.sql`LEFT JOIN monitor_state AS state ON state.monitor_id = monitor.id`;

const CURRENT_PERIOD = Prisma.sql`
  LEFT JOIN status_period AS period ON period.monitor_id = monitor.id AND period.to_at IS NULL`;

/** The value of a cursor as the key's type; undefined if it is not one. */
const READ_KEY: Record<SortField, (key: string | number) => Prisma.Sql | undefined> = {
  name: (key) => (typeof key === 'string' && !key.includes('\0') ? Prisma.sql`${key}::text` : undefined),
  createdAt: (key) => {
    const isTime = typeof key === 'number' && key >= 0 && key <= MAX_TIME_MS;
    return isTime ? Prisma.sql`${new Date(key)}::timestamptz` : undefined;
  },
  status: (key) => (STATUS_ORDER.some((_, index) => index === key) ? Prisma.sql`${key}::int` : undefined),
  statusChangedAt: (key) => {
    const isKey = typeof key === 'number' && key >= LAST_KEY.descending && key <= LAST_KEY.ascending;
    return isKey ? Prisma.sql`${key}::float8` : undefined;
  },
};

/**
 * The matching monitors of an organization in their order, all unless limited, and the cursor of the next page; null on the last page.
 * A cursor is a position in the order, so it stays valid after its monitor is deleted. Throws VALIDATION_ERROR for an invalid one.
 */
export async function readMonitorPage(
  db: Pick<Database, '$queryRaw'>,
  organizationId: string,
  query: ListMonitorsQuery,
  now: Date,
): Promise<{ monitors: CurrentMonitor<MonitorRow>[]; next: string | null; total?: number }> {
  const selection = selectPage(organizationId, query);
  const { rows, served } = await selectMonitors<MonitorRow & Placed>(db, selection, now);
  const shown = query.limit === undefined ? rows : rows.slice(0, query.limit);
  const monitors = await completeMonitors(db, { rows: shown, served }, now, startOfUptime(now));
  const last = shown.at(-1);
  const isEmpty = rows.length === 0 && query.cursor === undefined;
  const total = isWhole(query) || isEmpty ? rows.length : last?.total;
  const all = { monitors, next: null, ...(total === undefined ? {} : { total }) };
  if (last?.key === undefined || shown.length === rows.length) return all;
  const key = last.key instanceof Date ? last.key.getTime() : last.key;
  return { ...all, next: formatPlace([key, last.id]) };
}

/** The place of a monitor in the order, and the number of all that match; neither if the whole list is read. */
type Placed = { key?: string | number | Date; total?: number };

function isWhole({ limit, cursor }: ListMonitorsQuery): boolean {
  return limit === undefined && cursor === undefined;
}

/** Reads one row more than a page has. By creation time or name, it reads no others, however many monitors there are. */
export function monitorPageQuery(organizationId: string, query: ListMonitorsQuery, now: Date): Prisma.Sql {
  return currentQuery(selectPage(organizationId, query), now);
}

function selectPage(organizationId: string, query: ListMonitorsQuery): Selection {
  const isDescending = query.sort.startsWith('-');
  const field = query.sort.replace('-', '') as SortField;
  const key = SORT_KEYS[field](isDescending);
  const direction = Prisma.raw(isDescending ? 'DESC' : 'ASC');
  const from =
    query.cursor === undefined ? Prisma.empty : after({ field, isDescending }, parsePlace(query.cursor));
  const join = field === 'statusChangedAt' ? CURRENT_PERIOD : Prisma.empty;
  const order = Prisma.sql`${key} ${direction}, monitor.id ${direction}`;
  const where = Prisma.sql`monitor.organization_id = ${organizationId} ${matching(query)} ${from}`;
  return {
    columns: {
      ...MONITOR_COLUMNS,
      ...(isWhole(query) ? {} : { key, total: countQuery(organizationId, query) }),
    },
    // Rows are wide: only those of the page are read whole, and only their keys are sorted.
    where:
      query.limit === undefined
        ? where
        : Prisma.sql`monitor.id = ANY (ARRAY(
            SELECT monitor.id
              FROM monitor ${STATE} ${join}
             WHERE ${where}
             ORDER BY ${order}
             LIMIT ${query.limit + 1}))`,
    join,
    order,
  };
}

/** The number of matching monitors: kept, unless there are conditions. PostgreSQL computes it once. */
function countQuery(organizationId: string, query: ListMonitorsQuery): Prisma.Sql {
  const conditions = matching(query);
  if (conditions === Prisma.empty) {
    return Prisma.sql`(SELECT monitors FROM monitor_count WHERE organization_id = ${organizationId})`;
  }
  return Prisma.sql`
    (SELECT count(*)::int FROM monitor ${STATE}
      WHERE monitor.organization_id = ${organizationId} ${conditions})`;
}

function after({ field, isDescending }: Order, [key, id]: Place): Prisma.Sql {
  const value = READ_KEY[field](key);
  if (value === undefined || id.includes('\0')) throw invalidCursor();
  const place = Prisma.sql`(${SORT_KEYS[field](isDescending)}, monitor.id)`;
  return Prisma.sql`AND ${place} ${Prisma.raw(isDescending ? '<' : '>')} (${value}, ${id})`;
}

function matching({ status, type, enabled, tag, ref, q }: ListMonitorsQuery): Prisma.Sql {
  const conditions = [
    status !== undefined && Prisma.sql`state.status = ${LITERALS[status]}`,
    type !== undefined && Prisma.sql`monitor.type = ${type}::monitor_type`,
    enabled !== undefined && Prisma.sql`monitor.enabled = ${enabled}`,
    tag !== undefined && Prisma.sql`${tag} = ANY (monitor.tags)`,
    ref !== undefined && Prisma.sql`monitor.ref = ${ref}`,
    q !== undefined &&
      Prisma.sql`(strpos(lower(monitor.name), lower(${q})) > 0 OR strpos(lower(monitor.url), lower(${q})) > 0)`,
  ].filter((condition) => condition !== false);
  return conditions.length === 0 ? Prisma.empty : Prisma.sql`AND ${Prisma.join(conditions, ' AND ')}`;
}
