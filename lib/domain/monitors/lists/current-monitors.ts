import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { isRegionId, type RegionId, regionNumber } from '@/lib/schemas/regions';
import { isVoteLost } from '@/lib/state/aggregate-status';
import { isUnserved } from '@/lib/state/silence';
import { type CorrectedLedger, readCorrectedLedgers } from '../corrections/read-corrected';
import { readSumsAt, type Sums } from '../history/past-sums';
import { isKnown } from '../history/periods';
import { type Span, uptimePercentage, uptimeWithin, WINDOW_MS } from '../history/uptime';
import { IS_PROBED, IS_TIMELY, toMs } from '../last-checks';
import { type MonitorSilence, readSilences } from '../silence';

/** A monitor with what is current about it: its data and last check, and its uptime over the trailing 30 days, 100 if unknown. */
export type CurrentMonitor<Columns> = {
  row: Columns & { id: string };
  enabled: boolean;
  regions: RegionId[];
  silence: MonitorSilence;
  /** When the current period of the ledger began, in epoch milliseconds; null without a ledger. */
  changedAt: number | null;
  uptimePercentage: number;
  /** Its ledger with its corrections, if it has any in the time that is read; then `uptimePercentage` is the corrected one. */
  ledger: CorrectedLedger | null;
  /** The uptime without corrections; null if there are none in the 30 days. */
  measuredUptimePercentage: number | null;
};

type Row = {
  id: string;
  facts: string;
  /** When each region was last served, in epoch milliseconds: only in the first row in their order, in any if there is none. */
  presence: Record<string, number> | null;
};

/** What is read about every monitor, as one text: it costs half as much as a value for each. Moments are epoch milliseconds. */
type Facts = {
  enabled: boolean;
  isProbed: boolean;
  intervalMs: number;
  timeoutMs: number;
  regions: RegionId[];
  isCorrected: boolean;
  /** Earlier checks do not count. */
  roundSince: number;
  /** The last check that was decided about. */
  decided: { at: number; responseTime: number | null } | null;
  /** The current period, with the known time and downtime before it. */
  period: (Sums & { state: PeriodState; from: number }) | null;
  /** The latest successful checks, newest first. */
  seen: { region: number; startedAt: number; responseTime: number | null }[];
};

/** `readSilences` looks for older checks. A constant, so that PostgreSQL skips partitions before it begins to read. */
const RECENT_MS = 6 * 3_600_000;
/** The clock of a worker can be ahead. */
const AHEAD_MS = 120_000;

/** Which monitors to read, with which columns: names and expressions of the tables `monitor` and `state`. In no order unless given. */
export type Selection = {
  columns: Readonly<Record<string, Prisma.Sql>>;
  where: Prisma.Sql;
  /** Joins another table that the columns, conditions or order refer to. */
  join?: Prisma.Sql;
  order?: Prisma.Sql;
};

/** Since when those who show the uptime of 30 days, and nothing older, need ledgers. */
export function startOfUptime(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS['30d']);
}

/** A column of a `Selection`: whether a maintenance window of the monitor is in progress. */
export const IS_IN_MAINTENANCE = Prisma.sql`monitor.enabled AND state.status_before_maintenance IS NOT NULL`;

/** A column of a `Selection`: since when the monitor flaps; null if it does not. */
export const FLAPPING_SINCE = Prisma.sql`
  (SELECT since FROM flapping WHERE flapping.monitor_id = monitor.id AND ended_at IS NULL AND interrupted_at IS NULL)`;

/**
 * The selected monitors and what is current about them: in one statement, one more if the data of some may have ended, one if
 * their windows begin in other periods than when they were read last, and one if some have corrections. Corrections count only for those who
 * show figures: they pass `ledgersSince`, 30 days ago or earlier.
 */
export async function readCurrentMonitors<Columns extends object>(
  db: Pick<Database, '$queryRaw'>,
  selection: Selection,
  now: Date,
  ledgersSince?: Date,
): Promise<CurrentMonitor<Columns>[]> {
  const rows = await db.$queryRaw<(Columns & Row)[]>(currentQuery(selection, now));
  const presence = Object.entries(rows.find((row) => row.presence !== null)?.presence ?? {});
  const living = presence.filter(([, servedAt]) => !isUnserved(servedAt, now.getTime()));
  const served = new Set(living.map(([region]) => region).filter(isRegionId));
  const since = startOfUptime(now);
  const unclear: string[] = [];
  const younger: string[] = [];
  const read = rows.map((row) => {
    const facts = parseFacts(row.facts);
    const silence = readSeen(facts, served, now.getTime());
    if (silence === null) unclear.push(row.id);
    if (facts.period && facts.period.from > since.getTime()) younger.push(row.id);
    return { row, facts, silence };
  });
  const [silences, past] = await Promise.all([
    readSilences(db, unclear, now),
    readSumsAt(db, younger, since),
  ]);
  const current = read.map(({ row, facts, silence: seen }) => {
    const silence = seen ?? silences.get(row.id) ?? withoutSilence(facts);
    const window = { since, until: silence.noDataSince ?? now };
    const uptimePercentage = uptimeSince(window, facts.period, past.get(row.id));
    const { enabled, regions, isCorrected } = facts;
    const uncorrected = { uptimePercentage, ledger: null, measuredUptimePercentage: null };
    const changedAt = facts.period?.from ?? null;
    return { row, enabled, regions, silence, changedAt, isCorrected, ...uncorrected };
  });
  return withCorrections(db, current, { since, now, ledgersSince });
}

type Uncorrected<Columns> = CurrentMonitor<Columns> & { isCorrected: boolean };

/** The monitors with the uptime since a moment that their corrections amount to. */
async function withCorrections<Columns extends object>(
  db: Pick<Database, '$queryRaw'>,
  monitors: readonly Uncorrected<Columns>[],
  { since, now, ledgersSince }: { since: Date; now: Date; ledgersSince: Date | undefined },
): Promise<CurrentMonitor<Columns>[]> {
  const wanted = ledgersSince === undefined ? [] : monitors.filter(({ isCorrected }) => isCorrected);
  const silences = new Map(monitors.map(({ row, silence }) => [row.id, silence]));
  const ids = wanted.map(({ row }) => row.id);
  const ledgers = await readCorrectedLedgers(db, ids, { since: ledgersSince ?? since, now, silences });
  return monitors.map(({ isCorrected, ...monitor }) => {
    const ledger = ledgers.get(monitor.row.id);
    if (ledger === undefined) return monitor;
    const uptimePercentage = uptimeWithin(ledger.corrected, since, now) ?? 100;
    const isWithin = ledger.corrections.some(({ to }) => to > since);
    const measuredUptimePercentage = isWithin ? monitor.uptimePercentage : null;
    return { ...monitor, ledger, uptimePercentage, measuredUptimePercentage };
  });
}

/**
 * Selects monitors first, then reads two index entries of each: its current period, and its last check.
 */
export function currentQuery(
  { columns, where, join = Prisma.empty, order }: Selection,
  now: Date,
): Prisma.Sql {
  // The numbers of an order that nobody asked for would cost two sorts.
  const ordered = order === undefined ? Prisma.empty : Prisma.sql`ORDER BY ${order}`;
  const inPlace = order === undefined ? Prisma.empty : Prisma.sql`ORDER BY place`;
  const [oldest, newest] = [new Date(now.getTime() - RECENT_MS), new Date(now.getTime() + AHEAD_MS)];
  const names = Object.keys(columns).map((name) => Prisma.raw(`"${name}"`));
  const expressions = Object.values(columns).map((column, place) => Prisma.sql`${column} AS ${names[place]}`);
  return Prisma.sql`
    SELECT id, ${Prisma.join(names)},
           concat(configured, '|', current.state, ' ', ${toMs(Prisma.sql`current.from_at`)}, ' ', current.known_before, ' ',
                  current.down_before, '|', seen, '|', round_since) AS facts,
           CASE WHEN place = 1 THEN (SELECT json_object_agg(region, ${toMs(Prisma.sql`served_at`)}) FROM region_presence) END AS presence
      FROM (SELECT monitor.id, monitor.number, monitor.enabled AS is_enabled, cardinality(monitor.regions) AS size, ${Prisma.join(expressions)},
                   concat(monitor.enabled::int, ',', (${IS_PROBED})::int, ',', monitor.interval, ',', monitor.timeout, ',', array_to_string(monitor.regions, ' '), ',',
                          ${toMs(Prisma.sql`state.last_checked_at`)}, ',', state.last_response_time, ',', state.is_corrected::int) AS configured,
                   state.machine->>'since' AS round_since,
                   row_number() OVER (${ordered}) AS place
              FROM monitor LEFT JOIN monitor_state AS state ON state.monitor_id = monitor.id ${join}
             WHERE ${where}
             ${ordered}) AS chosen
           LEFT JOIN (SELECT monitor_id, state, from_at, known_before, down_before FROM status_period WHERE to_at IS NULL) AS current
                  ON current.monitor_id = chosen.id
           LEFT JOIN LATERAL (
             SELECT string_agg(concat_ws(' ', region, ${toMs(Prisma.sql`checked_at`)}, response_time), ',') AS seen
               FROM (SELECT region, checked_at, response_time FROM raw.check_result
                      WHERE check_result.monitor = chosen.number AND outcome = 0 AND ${IS_TIMELY} AND is_enabled
                        AND checked_at > ${oldest} AND checked_at < ${newest}
                      ORDER BY checked_at DESC
                      -- Regions do not take turns exactly.
                      LIMIT 2 * size - 1) AS checks) AS latest ON true
     ${inPlace}`;
}

/** `1,1,60,30,us-east,,,0|operational 1773144000000 9 0|1 1773144000000 48|1773144000000`. */
function parseFacts(text: string): Facts {
  const [configured = '', period = '', seen = '', since] = text.split('|');
  const [enabled, probed, interval, timeout, regions = '', decidedAt, responseTime, corrected] =
    configured.split(',');
  const [state = '', from, known, down] = period.split(' ');
  return {
    enabled: enabled === '1',
    isProbed: probed === '1',
    intervalMs: Number(interval) * 1000,
    timeoutMs: Number(timeout) * 1000,
    regions: regions.split(' ').filter(isRegionId),
    isCorrected: corrected === '1',
    roundSince: since ? Number(since) : Number.POSITIVE_INFINITY,
    decided: decidedAt
      ? { at: Number(decidedAt), responseTime: responseTime ? Number(responseTime) : null }
      : null,
    period:
      state === ''
        ? null
        : { state: state as PeriodState, from: Number(from), known: Number(known), down: Number(down) },
    seen: seen === '' ? [] : seen.split(',').map(parseCheck),
  };
}

function parseCheck(text: string) {
  const [region, startedAt, responseTime] = text.split(' ');
  const ms = responseTime === undefined ? null : Number(responseTime);
  return { region: Number(region), startedAt: Number(startedAt), responseTime: ms };
}

/**
 * The silence of a monitor of which each region is served and has a recent successful check, which is a vote: none. Null if that is not
 * so: then its state tells. One that is not probed is never silent.
 */
function readSeen(facts: Facts, served: ReadonlySet<RegionId>, now: number): MonitorSilence | null {
  if (!facts.enabled || !facts.isProbed) return withoutSilence(facts);
  const hasVote = (id: RegionId) => {
    const number = regionNumber(id);
    const check = served.has(id) ? facts.seen.find(({ region }) => region === number) : undefined;
    // Also false for a damaged row, whose round began at no number.
    if (check === undefined || !(check.startedAt > facts.roundSince)) return false;
    return !isVoteLost(facts, check.startedAt + (check.responseTime ?? 0), now);
  };
  return facts.regions.every(hasVote) ? withoutSilence(facts) : null;
}

function withoutSilence({ enabled, decided, seen: [latest] }: Facts): MonitorSilence {
  const isNewer = enabled && latest !== undefined && latest.startedAt >= (decided?.at ?? 0);
  const at = isNewer ? latest.startedAt : (decided?.at ?? null);
  return {
    noDataSince: null,
    silentRegions: [],
    lastCheckedAt: at,
    lastResponseTime: isNewer ? latest.responseTime : (decided?.responseTime ?? null),
  };
}

/** The uptime of a monitor over a window that ends now, or where data ended; `past` is for windows that begin before the period. */
function uptimeSince({ since, until }: Span, period: Facts['period'], past?: Sums): number {
  if (period === null) return 100;
  const { state, from, known, down } = period;
  const lasted = Math.max(0, until.getTime() - Math.max(from, since.getTime()));
  const knownMs = (isKnown(state) ? lasted : 0) + (past ? known - past.known : 0);
  const downMs = (state === 'down' ? lasted : 0) + (past ? down - past.down : 0);
  return uptimePercentage(knownMs, downMs);
}
