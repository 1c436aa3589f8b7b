import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { isRegionId, type RegionId, regionNumber } from '@/lib/schemas/regions';
import { isVoteLost } from '@/lib/state/aggregate-status';
import { isUnserved } from '@/lib/state/silence';
import { isKnown } from './history/periods';
import { knownUptime, sumsAt, WINDOW_MS } from './history/uptime';
import { jsonNumber, toMs } from './last-checks';
import { type MonitorSilence, readRegionPresence, readSilences } from './silence';

/** A monitor with what is current about it: its data and last check, and its uptime over the trailing 30 days, 100 if unknown. */
export type CurrentMonitor<Columns> = {
  row: Columns & Row;
  silence: MonitorSilence;
  uptimePercentage: number;
};

/** The columns that every monitor is read with. */
type Row = {
  id: string;
  enabled: boolean;
  interval: number;
  timeout: number;
  regions: string[];
  /** Earlier checks do not count, in epoch milliseconds. */
  roundSince: number | null;
  /** The last check that was decided about. */
  decidedAt: Date | null;
  decidedResponseTime: number | null;
  /** The latest successful checks, newest first, as region, start and milliseconds: `1 1773144000000 48,3 …`. */
  seen: string | null;
  /** The current period, and what was summed up by its start and by that of the window: `down 1773144000000 9 0 5 0`. */
  sums: string | null;
};

/** `readSilences` looks for older checks. A constant, so that PostgreSQL skips partitions before it begins to read. */
const RECENT_MS = 6 * 3_600_000;
/** The clock of a worker can be ahead. */
const AHEAD_MS = 120_000;

/** Which monitors to read, with which columns of the tables `monitor` and `state`; in no order unless given. */
export type Selection = { columns: Prisma.Sql; where: Prisma.Sql; order?: Prisma.Sql; limit?: number };

/**
 * The selected monitors and what is current about them: in two statements, or three if the data of some may have ended.
 */
export async function readCurrentMonitors<Columns extends object>(
  db: Pick<Database, '$queryRaw' | 'regionPresence'>,
  selection: Selection,
  now: Date,
): Promise<CurrentMonitor<Columns>[]> {
  const [rows, presence] = await Promise.all([
    db.$queryRaw<(Columns & Row)[]>(currentQuery(selection, now)),
    readRegionPresence({ db }),
  ]);
  const living = [...presence].filter(([, servedAt]) => !isUnserved(servedAt.getTime(), now.getTime()));
  const served = new Set(living.map(([region]) => region).filter(isRegionId));
  const read = rows.map((row) => readSeen(row, served, now));
  const unclear = rows.filter((_, place) => read[place] === null).map(({ id }) => id);
  const silences = await readSilences(db, unclear, now);
  return rows.map((row, place) => {
    const silence = read[place] ?? silences.get(row.id) ?? withoutSilence(row);
    return { row, silence, uptimePercentage: readUptime(row.sums, silence.noDataSince, now) };
  });
}

/**
 * Selects monitors first, then reads three index entries of each: its current period, the period that the window begins in, and its
 * last check.
 */
export function currentQuery(
  { columns, where, order = Prisma.sql`monitor.id`, limit }: Selection,
  now: Date,
): Prisma.Sql {
  const start = Prisma.sql`${new Date(now.getTime() - WINDOW_MS['30d'])}::timestamptz`;
  const [oldest, newest] = [new Date(now.getTime() - RECENT_MS), new Date(now.getTime() + AHEAD_MS)];
  return Prisma.sql`
    SELECT chosen.*, seen,
           concat_ws(' ', current.state, ${toMs(Prisma.sql`current.from_at`)}, current.known_before, current.down_before, past.known, past.down) AS sums
      FROM (SELECT monitor.id, monitor.number, monitor.enabled, monitor.interval, monitor.timeout, monitor.regions,
                   ${jsonNumber(Prisma.sql`state.machine->'since'`)} AS "roundSince",
                   state.last_checked_at AS "decidedAt", state.last_response_time AS "decidedResponseTime", ${columns},
                   row_number() OVER (ORDER BY ${order})::int AS place
              FROM monitor LEFT JOIN monitor_state AS state ON state.monitor_id = monitor.id
             WHERE ${where}
             ORDER BY ${order} ${limit === undefined ? Prisma.empty : Prisma.sql`LIMIT ${limit}`}) AS chosen
           LEFT JOIN status_period AS current ON current.monitor_id = chosen.id AND current.to_at IS NULL
           LEFT JOIN LATERAL ${sumsAt(start, Prisma.sql`${now}::timestamptz`)} AS past ON true
           LEFT JOIN LATERAL (
             SELECT string_agg(concat_ws(' ', region, ${toMs(Prisma.sql`checked_at`)}, response_time), ',') AS seen
               FROM (SELECT region, checked_at, response_time FROM raw.check_result
                      WHERE check_result.monitor = chosen.number AND outcome = 0 AND chosen.enabled
                        AND checked_at > ${oldest} AND checked_at < ${newest}
                      ORDER BY checked_at DESC
                      -- Regions do not take turns exactly.
                      LIMIT 2 * cardinality(chosen.regions) - 1) AS latest) AS latest ON true
     ORDER BY place`;
}

/**
 * The silence of a monitor of which each region is served and has a recent successful check, which is a vote: none. Null if that is not
 * so: then its state tells.
 */
function readSeen(row: Row, served: ReadonlySet<RegionId>, now: Date): MonitorSilence | null {
  if (!row.enabled) return withoutSilence(row);
  const config = { intervalMs: row.interval * 1000, timeoutMs: row.timeout * 1000 };
  const checks = (row.seen ?? '').split(',').map((check) => check.split(' ').map(Number));
  const hasVote = (id: string) => {
    if (!isRegionId(id) || !served.has(id)) return false;
    const [, startedAt = 0, responseTime = 0] = checks.find(([region]) => region === regionNumber(id)) ?? [];
    const isOfRound = row.roundSince !== null && startedAt > row.roundSince;
    return isOfRound && !isVoteLost(config, startedAt + responseTime, now.getTime());
  };
  return row.regions.every(hasVote) ? withoutSilence(row, checks[0]) : null;
}

function withoutSilence(
  { decidedAt, decidedResponseTime }: Row,
  [, startedAt, responseTime = 0]: number[] = [],
): MonitorSilence {
  const isNewer = startedAt !== undefined && (decidedAt === null || startedAt >= decidedAt.getTime());
  return {
    noDataSince: null,
    silentRegions: [],
    lastCheckedAt: isNewer ? new Date(startedAt) : decidedAt,
    lastResponseTime: isNewer ? responseTime : decidedResponseTime,
  };
}

/** The uptime that follows from `sums`; the current period ends where data ended. */
function readUptime(sums: string | null, noDataSince: Date | null, now: Date): number {
  const [state, ...numbers] = (sums ?? '').split(' ');
  const [from = 0, knownBefore = 0, downBefore = 0, known = 0, down = 0] = numbers.map(Number);
  const end = Math.min(now.getTime(), noDataSince?.getTime() ?? Number.POSITIVE_INFINITY);
  const lasted = Math.max(0, end - from);
  const knownMs = knownBefore + (isKnown(state as PeriodState) ? lasted : 0) - known;
  const downMs = downBefore + (state === 'down' ? lasted : 0) - down;
  return knownUptime(knownMs, downMs) ?? 100;
}
