import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { isRegionId, type RegionId, regionNumber } from '@/lib/schemas/regions';
import { isVoteLost } from '@/lib/state/aggregate-status';
import { isUnserved } from '@/lib/state/silence';
import { readSumsAt, type Sums } from '../history/past-sums';
import { isKnown } from '../history/periods';
import { type Span, uptimePercentage, WINDOW_MS } from '../history/uptime';
import { jsonNumber, toMs } from '../last-checks';
import { type MonitorSilence, readRegionPresence, readSilences } from '../silence';

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
  /** The current period: state, start, known time and downtime before it: `down 1773144000000 9 0`. */
  period: string | null;
};

/** `readSilences` looks for older checks. A constant, so that PostgreSQL skips partitions before it begins to read. */
const RECENT_MS = 6 * 3_600_000;
/** The clock of a worker can be ahead. */
const AHEAD_MS = 120_000;

/** Which monitors to read, with which columns of the tables `monitor` and `state`; in no order unless given. */
export type Selection = { columns: Prisma.Sql; where: Prisma.Sql; order?: Prisma.Sql; limit?: number };

/**
 * The selected monitors and what is current about them: in two statements, one more if the data of some may have ended, and one if
 * their windows begin in other periods than when they were read last.
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
  const since = new Date(now.getTime() - WINDOW_MS['30d']);
  const periods = rows.map(({ period }) => parsePeriod(period));
  const younger = rows
    .filter((_, place) => (periods[place]?.from ?? 0) > since.getTime())
    .map(({ id }) => id);
  const [silences, past] = await Promise.all([
    readSilences(db, unclear, now),
    readSumsAt(db, younger, since),
  ]);
  return rows.map((row, place) => {
    const silence = read[place] ?? silences.get(row.id) ?? withoutSilence(row);
    const period = periods[place];
    const window = { since, until: silence.noDataSince ?? now };
    return { row, silence, uptimePercentage: period ? uptimeSince(window, period, past.get(row.id)) : 100 };
  });
}

/**
 * Selects monitors first, then reads two index entries of each: its current period, and its last check.
 */
export function currentQuery(
  { columns, where, order = Prisma.sql`monitor.id`, limit }: Selection,
  now: Date,
): Prisma.Sql {
  const [oldest, newest] = [new Date(now.getTime() - RECENT_MS), new Date(now.getTime() + AHEAD_MS)];
  return Prisma.sql`
    SELECT chosen.*, seen,
           concat_ws(' ', current.state, ${toMs(Prisma.sql`current.from_at`)}, current.known_before, current.down_before) AS period
      FROM (SELECT monitor.id, monitor.number, monitor.enabled, monitor.interval, monitor.timeout, monitor.regions,
                   ${jsonNumber(Prisma.sql`state.machine->'since'`)} AS "roundSince",
                   state.last_checked_at AS "decidedAt", state.last_response_time AS "decidedResponseTime", ${columns},
                   row_number() OVER (ORDER BY ${order})::int AS place
              FROM monitor LEFT JOIN monitor_state AS state ON state.monitor_id = monitor.id
             WHERE ${where}
             ORDER BY ${order} ${limit === undefined ? Prisma.empty : Prisma.sql`LIMIT ${limit}`}) AS chosen
           LEFT JOIN status_period AS current ON current.monitor_id = chosen.id AND current.to_at IS NULL
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

type CurrentPeriod = Sums & { state: PeriodState; from: number };

function parsePeriod(text: string | null): CurrentPeriod | null {
  if (text === null || text === '') return null;
  const [state, ...numbers] = text.split(' ');
  const [from = 0, known = 0, down = 0] = numbers.map(Number);
  return { state: state as PeriodState, from, known, down };
}

/** The uptime of a monitor over a window that ends now, or where data ended; `past` is for windows that begin before the period. */
function uptimeSince(
  { since, until }: Span,
  { state, from, known, down }: CurrentPeriod,
  past?: Sums,
): number {
  const lasted = Math.max(0, until.getTime() - Math.max(from, past ? from : since.getTime()));
  const knownMs = (isKnown(state) ? lasted : 0) + (past ? known - past.known : 0);
  const downMs = (state === 'down' ? lasted : 0) + (past ? down - past.down : 0);
  return uptimePercentage(knownMs, downMs);
}
