import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { REGIONS } from '@/lib/schemas/regions';
import { OUTCOMES } from '@/lib/schemas/result';
import type { ReplayMark } from '@/lib/state/replay';
import type { SeenCheck } from '@/lib/state/seen-check';
import { MAINTENANCE_BEGAN, MAINTENANCE_ENDED } from './ledger';

type Reader = Pick<Database, '$queryRaw'>;
type Window = { number: number; from: Date; to: Date };

/** So many checks a statement: few statements, and none holds a connection for long. */
const BATCH = 20_000;
const MOST_MARKS = 5000;

/** The checks of a monitor within a window, oldest first; of more than `most` the latest, and `isCut` says so. */
export async function readSeenChecks(
  db: Reader,
  window: Window,
  most: number,
): Promise<{ checks: SeenCheck[]; isCut: boolean }> {
  const [beyond] = await db.$queryRaw<{ at: Date }[]>(latestBeyond(window, most));
  const from = beyond?.at ?? window.from;
  const checks: SeenCheck[] = [];
  let after: Place = { at: from.getTime(), region: beyond ? Number.POSITIVE_INFINITY : 0 };
  for (;;) {
    const rows = await db.$queryRaw<CheckRow[]>(checksAfter(window, after));
    for (const row of rows) checks.push(toSeen(row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return { checks, isCut: beyond !== undefined };
    after = last;
  }
}

type Place = { at: number; region: number };
type CheckRow = Place & {
  outcome: number;
  responseTime: number | null;
  errorCode: string | null;
  error: string | null;
};

/** The moment of the latest check that is one too many, found in the index alone. */
export function latestBeyond({ number, from, to }: Window, most: number): Prisma.Sql {
  return Prisma.sql`
    SELECT checked_at AS at FROM raw.check_result
     WHERE monitor = ${number} AND checked_at >= ${from} AND checked_at <= ${to}
     ORDER BY checked_at DESC OFFSET ${most} LIMIT 1`;
}

/** Goes on through the index of a monitor's results after a check, up to the end of the window. */
export function checksAfter({ number, to }: Window, { at, region }: Place): Prisma.Sql {
  const moment = new Date(at);
  // No region has a number so high: nothing of that moment is left.
  const tie = Number.isFinite(region) ? region : 32_767;
  return Prisma.sql`
    SELECT (extract(epoch FROM checked_at) * 1000)::float8 AS at, region, outcome, response_time AS "responseTime",
           error_code AS "errorCode", error
      FROM raw.check_result
     WHERE monitor = ${number} AND checked_at >= ${moment} AND checked_at <= ${to}
       AND (checked_at > ${moment} OR region > ${tie})
     ORDER BY checked_at, region LIMIT ${BATCH}`;
}

function toSeen({ at, region, outcome, responseTime, errorCode, error }: CheckRow): SeenCheck {
  return {
    region: REGIONS.find(({ number }) => number === region)?.id ?? '',
    startedAt: at,
    outcome: OUTCOMES[outcome] ?? 'unknown',
    responseTime,
    error: errorCode === null ? null : { code: errorCode, message: error ?? '' },
  };
}

/** Since a moment: pauses, maintenance, and where the monitor began again at pending, by its ledger; oldest first. */
export async function readMarks(db: Reader, monitorId: string, since: Date): Promise<ReplayMark[]> {
  const rows = await db.$queryRaw<MarkRow[]>`
    SELECT state::text AS state, from_at AS "from", to_at AS "to", why->>'rule' AS rule FROM status_period
     WHERE monitor_id = ${monitorId} AND state IN ('pending', 'paused', 'maintenance')
       AND (to_at IS NULL OR to_at >= ${since})
     ORDER BY from_at, id LIMIT ${MOST_MARKS}`;
  return rows.flatMap((row, index) => toMarks(row, rows[index + 1]));
}

type MarkRow = {
  state: 'pending' | 'paused' | 'maintenance';
  from: Date;
  to: Date | null;
  rule: string | null;
};

function toMarks({ state, from, to, rule }: MarkRow, next?: MarkRow): ReplayMark[] {
  const at = from.getTime();
  // Pending also before maintenance, it is so again after it.
  if (state === 'pending') return [{ kind: rule === MAINTENANCE_ENDED ? 'maintenance-end' : 'restart', at }];
  if (state === 'paused') return [{ kind: 'pause', at }];
  const begin: ReplayMark = { kind: 'maintenance', isRestart: rule !== MAINTENANCE_BEGAN, at };
  const endsItself = to !== null && next?.from.getTime() !== to.getTime();
  return endsItself ? [begin, { kind: 'maintenance-end', at: to.getTime() }] : [begin];
}
