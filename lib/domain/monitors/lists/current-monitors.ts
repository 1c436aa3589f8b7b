import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { toMs } from '@/lib/platform/db/moment-columns';
import { isRegionId, type RegionId, regionNumber } from '@/lib/schemas/regions';
import { isUnserved } from '@/lib/state/silence';
import { isVoteLost } from '@/lib/state/votes';
import { type CorrectedLedger, readCorrectedLedgers } from '../corrections/read-corrected';
import { readSumsAt, type Sums } from '../history/past-sums';
import { isKnown } from '../history/periods';
import { uptimePercentage, uptimeWithin, WINDOW_MS } from '../history/uptime';
import { type MonitorSilence, readSilences } from '../silence';
import { type CurrentRow, currentQuery, type Selection } from './current-query';
import { type Facts, type Known, readFacts } from './monitor-facts';

/** A monitor with what is current about it: its data and last check, and its uptime over the trailing 30 days, null if unknown. */
export type CurrentMonitor<Columns> = {
  row: Columns & { id: string };
  facts: Facts;
  silence: MonitorSilence;
  consecutiveFailures: number;
  uptimePercentage: number | null;
  /** Its ledger with its corrections, if it has any in the time that is read; then `uptimePercentage` is the corrected one. */
  ledger: CorrectedLedger | null;
  /** The uptime without corrections; null if there are none in the 30 days. */
  measuredUptimePercentage: number | null;
};

/** Since when those who show the uptime of 30 days, and nothing older, need ledgers. */
export function startOfUptime(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS['30d']);
}

/** An uptime as the API returns it: 100 if unknown. */
export function uptimeForApi(uptimePercentage: number | null): number {
  return uptimePercentage ?? 100;
}

/** A column of a `Selection`: since when the monitor flaps, in epoch milliseconds; null if it does not. */
export const FLAPPING_SINCE = Prisma.sql`
  (SELECT ${toMs(Prisma.sql`since`)}
     FROM flapping
    WHERE flapping.monitor_id = monitor.id AND ended_at IS NULL AND interrupted_at IS NULL)`;

/**
 * The selected monitors and what is current about them: in one statement, and those of `completeMonitors`. Corrections count only for
 * those who show figures: they pass `ledgersSince`, 30 days ago or earlier.
 */
export async function readCurrentMonitors<Columns extends object>(
  db: Pick<Database, '$queryRaw'>,
  selection: Selection,
  now: Date,
  ledgersSince?: Date,
): Promise<CurrentMonitor<Columns>[]> {
  return completeMonitors(db, await selectMonitors<Columns>(db, selection, now), now, ledgersSince);
}

/** Rows of monitors, and the regions that live workers serve. */
export type Selected<Columns> = { rows: readonly (Columns & CurrentRow)[]; served: ReadonlySet<RegionId> };

/** The rows of the selected monitors, in one statement. */
export async function selectMonitors<Columns extends object>(
  db: Pick<Database, '$queryRaw'>,
  selection: Selection,
  now: Date,
): Promise<Selected<Columns>> {
  const rows = await db.$queryRaw<(Columns & CurrentRow)[]>(currentQuery(selection, now));
  const presence = Object.entries(rows.find((row) => row.presence !== null)?.presence ?? {});
  const served = presence.filter(([, servedAt]) => !isUnserved(servedAt, now.getTime()));
  return { rows, served: new Set(served.map(([region]) => region).filter(isRegionId)) };
}

/**
 * Monitors with what is current about them, without those that were deleted meanwhile: in one statement if something about some has changed since
 * they were read last, one if the data of some may have ended, one if their windows begin in other periods, and one if some have corrections.
 */
export async function completeMonitors<Columns extends object>(
  db: Pick<Database, '$queryRaw'>,
  { rows, served }: Selected<Columns>,
  now: Date,
  ledgersSince?: Date,
): Promise<CurrentMonitor<Columns>[]> {
  const known = await readFacts(db, rows, now);
  const since = startOfUptime(now);
  const silences = known.map((each) => readSeen(each, served, now.getTime()));
  const younger = known.filter(({ facts: { period } }) => period && period.from > since.getTime());
  const [derived, past] = await Promise.all([
    readSilences(db, idsOf(known.filter((_, place) => silences[place] === null)), now),
    readSumsAt(db, idsOf(younger), since),
  ]);
  const current = known.map((each, place): CurrentMonitor<Columns> => {
    const { row, facts } = each;
    const consecutiveFailures = each.failures ?? facts.consecutiveFailures;
    const silence = silences[place] ?? derived.get(row.id) ?? withoutSilence(each);
    const until = (silence.noDataSince ?? now).getTime();
    const uptimePercentage = uptimeBetween(since.getTime(), until, facts.period, past.get(row.id));
    return {
      row,
      facts,
      silence,
      consecutiveFailures,
      uptimePercentage,
      ledger: null,
      measuredUptimePercentage: null,
    };
  });
  return ledgersSince === undefined ? current : withCorrections(db, current, { since: ledgersSince, now });
}

function idsOf(monitors: readonly { row: { id: string } }[]): string[] {
  return monitors.map(({ row }) => row.id);
}

/** The monitors with the uptime of 30 days that their corrections amount to, of those that have some. */
async function withCorrections<Columns extends object>(
  db: Pick<Database, '$queryRaw'>,
  monitors: CurrentMonitor<Columns>[],
  { since, now }: { since: Date; now: Date },
): Promise<CurrentMonitor<Columns>[]> {
  const corrected = monitors.filter(({ facts }) => facts.isCorrected);
  if (corrected.length === 0) return monitors;
  const silences = new Map(corrected.map(({ row, silence }) => [row.id, silence]));
  const ledgers = await readCorrectedLedgers(db, idsOf(corrected), { since, now, silences });
  const windowStart = startOfUptime(now);
  return monitors.map((monitor) => {
    const ledger = ledgers.get(monitor.row.id);
    if (ledger === undefined) return monitor;
    const uptimePercentage = uptimeWithin(ledger.corrected, windowStart, now);
    const isWithin = ledger.corrections.some(({ to }) => to > windowStart);
    const measuredUptimePercentage = isWithin ? uptimeForApi(monitor.uptimePercentage) : null;
    return { ...monitor, ledger, uptimePercentage, measuredUptimePercentage };
  });
}

/**
 * The silence of a monitor whose regions are all served and have a recent conclusive check, which is a vote: none. Null if that is not
 * so: then its state tells. One that is not probed has no regions; of a group, nothing is known while none of its members counts.
 */
type Seen = Pick<Known<unknown>, 'facts' | 'seen'>;

function readSeen({ facts, seen }: Seen, served: ReadonlySet<RegionId>, now: number): MonitorSilence | null {
  if (!facts.enabled) return withoutSilence({ facts, seen });
  if (!facts.isProbed) {
    const noDataSince = facts.period?.state === 'unknown' ? new Date(facts.period.from) : null;
    return { ...withoutSilence({ facts, seen }), noDataSince };
  }
  const hasVote = (id: RegionId) => {
    const number = regionNumber(id);
    const check = served.has(id) ? seen.find(({ region }) => region === number) : undefined;
    const isOfRound = check !== undefined && facts.roundSince !== null && check.startedAt > facts.roundSince;
    return isOfRound && !isVoteLost(facts, check.startedAt + (check.responseTime ?? 0), now);
  };
  return facts.regions.every(hasVote) ? withoutSilence({ facts, seen }) : null;
}

function withoutSilence({ facts: { enabled, decided }, seen: [latest] }: Seen): MonitorSilence {
  const isNewer = enabled && latest !== undefined && latest.startedAt >= (decided?.at ?? 0);
  const at = isNewer ? latest.startedAt : (decided?.at ?? null);
  return {
    noDataSince: null,
    silentRegions: [],
    lastCheckedAt: at,
    lastResponseTime: isNewer ? latest.responseTime : (decided?.responseTime ?? null),
  };
}

/**
 * The uptime of a monitor, null if unknown, over a window from `since` to `until`, which is now or when data ended, in epoch milliseconds; `past` is for windows
 * that begin before the period.
 */
function uptimeBetween(since: number, until: number, period: Facts['period'], past?: Sums): number | null {
  if (period === null) return null;
  const { state, from, known, down } = period;
  const lasted = Math.max(0, until - Math.max(from, since));
  const knownMs = (isKnown(state) ? lasted : 0) + (past ? known - past.known : 0);
  const downMs = (state === 'down' ? lasted : 0) + (past ? down - past.down : 0);
  return uptimePercentage(knownMs, downMs);
}
