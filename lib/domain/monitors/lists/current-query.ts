import { Prisma } from '@/lib/platform/db/generated/client';
import { toMs } from '@/lib/platform/db/moment-columns';
import { countFailedIn, IS_CONCLUSIVE, IS_TIMELY, numberIn } from '../last-checks';

/** Which monitors to read, with which columns: names and expressions of the tables `monitor` and `state`. In no order unless given. */
export type Selection = {
  columns: Readonly<Record<string, Prisma.Sql>>;
  where: Prisma.Sql;
  /** Joins another table that the columns, conditions or order refer to. */
  join?: Prisma.Sql;
  order?: Prisma.Sql;
};

/** What is read of every monitor besides the columns of a selection. */
export type CurrentRow = {
  id: string;
  /** The version of what is remembered about it, and its last checks: as one text, which costs half as much as a value for each. */
  current: string;
  /** When each region was last served, in epoch milliseconds: in any one row. */
  presence: Record<string, number> | null;
};

/** A conclusive check, in epoch milliseconds. */
export type SeenCheck = { region: number; startedAt: number; responseTime: number | null };

/** The version of a row in `monitor`: the transaction that wrote it, and where. It changes whenever anything in the row does. */
export const ROW_VERSION = versionOf(Prisma.raw('monitor'));

/** How many times its interval or timeout a check is looked for: older ones are no vote, and `readSilences` finds them. */
const LIFETIMES = 4;
/** As much for any monitor. A constant, so that PostgreSQL skips partitions before it begins to read. */
const RECENT_MS = 6 * 3_600_000;
/** The clock of a worker can be ahead. */
const AHEAD_MS = 120_000;

/** Reads four index entries of each selected monitor: itself, its state, its current period, and its last check; while it is down, also what failed since it was decided upon. */
export function currentQuery(
  { columns, where, join = Prisma.empty, order }: Selection,
  now: Date,
): Prisma.Sql {
  const chosen = Object.entries(columns).map(
    ([name, column]) => Prisma.sql`${column} AS ${Prisma.raw(`"${name}"`)},`,
  );
  return Prisma.sql`
    SELECT monitor.id, ${chosen.length === 0 ? Prisma.empty : Prisma.join(chosen, ' ')}
           concat(${ROW_VERSION}, ' ', ${versionOf(Prisma.raw('state'))}, ' ', ${versionOf(Prisma.raw('current'))}, '|',
                  seen, '|', failing.failures) AS current,
           CASE WHEN row_number() OVER () = 1
                THEN (SELECT json_object_agg(region, ${toMs(Prisma.sql`served_at`)}) FROM region_presence)
                END AS presence
      FROM monitor
           -- OFFSET 0: else PostgreSQL reads both tables whole for a twentieth of their rows.
           LEFT JOIN LATERAL (
             SELECT *, xmin, ctid FROM monitor_state WHERE monitor_id = monitor.id OFFSET 0) AS state ON true
           LEFT JOIN LATERAL (
             SELECT *, xmin, ctid FROM status_period WHERE monitor_id = monitor.id AND to_at IS NULL OFFSET 0
           ) AS current ON true ${join}
           LEFT JOIN LATERAL (${lastChecks(now)}) AS latest ON true
           LEFT JOIN LATERAL (${failuresWhileDown(now)}) AS failing ON true
     WHERE ${where}
           ${order === undefined ? Prisma.empty : Prisma.sql`ORDER BY ${order}`}`;
}

/** The latest conclusive checks of `monitor` as a text, newest first: `1 1773144000000 48,2 1773143990000 51`. */
function lastChecks(now: Date): Prisma.Sql {
  const [oldest, newest] = recentTimes(now);
  return Prisma.sql`
             SELECT string_agg(concat_ws(' ', region, ${toMs(Prisma.sql`checked_at`)}, response_time), ',') AS seen
               FROM (SELECT region, checked_at, response_time
                       FROM raw.check_result
                      WHERE check_result.monitor = monitor.number
                        AND ${IS_CONCLUSIVE}
                        AND ${IS_TIMELY}
                        AND monitor.enabled
                        AND checked_at > ${oldest}
                        AND checked_at < ${newest}
                        -- Without it, PostgreSQL reads all entries of the monitor on a page of the index.
                        AND checked_at > ${now}::timestamptz
                              - make_interval(secs => ${LIFETIMES}::int * greatest(monitor.interval, monitor.timeout))
                      ORDER BY checked_at DESC
                      -- Regions do not take turns exactly.
                      LIMIT 2 * cardinality(monitor.regions) - 1) AS checks`;
}

/**
 * How many checks of `monitor` in a row have failed while that changes nothing: what its `state` knows of each region and what is stored
 * since, counted as `consecutiveFailures` does. Null for any other monitor, whose state knows.
 */
function failuresWhileDown(now: Date): Prisma.Sql {
  const region = Prisma.sql`own.region`;
  const [oldest, newest] = recentTimes(now);
  const within = Prisma.sql`checked_at > ${oldest} AND checked_at < ${newest}`;
  return Prisma.sql`
             SELECT (array_agg(counted ORDER BY counted DESC))[count(*) / 2 + 1] AS failures
               FROM unnest(monitor.regions) AS own (region)
              CROSS JOIN LATERAL (
                      SELECT (${numberIn(region, 'failures')}
                              + ${countFailedIn(region, within)})::int AS counted) AS stored
              -- The status first: nothing else of the state is read of monitors that are not down.
              WHERE state.status = 'down' AND state.machine->'isContested' = '"down"' AND monitor.enabled`;
}

/** The oldest and newest times that a check of any monitor can have that matters now. */
function recentTimes(now: Date): [oldest: Date, newest: Date] {
  return [new Date(now.getTime() - RECENT_MS), new Date(now.getTime() + AHEAD_MS)];
}

/** The parts of `CurrentRow.current`; `failures` is null if the state knows how many checks in a row have failed. */
export function parseCurrent(text: string): { version: string; seen: SeenCheck[]; failures: number | null } {
  const [version = '', seen = '', failures = ''] = text.split('|');
  return {
    version,
    seen: seen === '' ? [] : seen.split(',').map(parseCheck),
    failures: failures === '' ? null : Number(failures),
  };
}

function parseCheck(text: string): SeenCheck {
  const [region, startedAt, responseTime] = text.split(' ');
  const ms = responseTime === undefined ? null : Number(responseTime);
  return { region: Number(region), startedAt: Number(startedAt), responseTime: ms };
}

function versionOf(table: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`concat(${table}.xmin, ' ', ${table}.ctid)`;
}
