import type { Services } from '@/lib/domain/context/services';
import { BUCKET_STARTS } from '@/lib/domain/monitors/history/read-latency';
import type { Transaction } from '@/lib/platform/db/client';

const HOUR = 3_600_000;
/** How late a check begun in an hour may be recorded: its timeout and the recorder's pace. */
const LATE_MS = 120_000;
/** How far one call catches up; the next minute continues. */
const MAX_HOURS = 48;
const ROLL_UP_LOCK = 7274270;

type Rolling = Pick<Services, 'db' | 'clock'>;

/**
 * Rolls up the hours closed since the last call, oldest first, each in its own transaction; a worker that was
 * down for long catches up gradually. Returns how many hours: 0 if none has closed or another worker is
 * rolling up.
 */
export async function rollUp(services: Rolling): Promise<number> {
  let hours = 0;
  while (hours < MAX_HOURS && (await rollUpNextHour(services))) hours++;
  return hours;
}

async function rollUpNextHour({ db, clock }: Rolling): Promise<boolean> {
  const now = clock.now().getTime();
  return db.$transaction(
    async (tx) => {
      const [lock] = await tx.$queryRaw<{ isMine: boolean }[]>`
        SELECT pg_try_advisory_xact_lock(${ROLL_UP_LOCK}) AS "isMine"`;
      if (!lock?.isMine) return false;
      const hour = await findNextHour(tx, now);
      if (hour + HOUR + LATE_MS > now) return false;
      // Repeat the previous hour for results recorded late; otherwise it yields the same values.
      await rollUpBetween(tx, new Date(hour - HOUR), new Date(hour + HOUR));
      await tx.$executeRaw`
        INSERT INTO raw.rollup_progress (id, rolled_until) VALUES (1, ${new Date(hour + HOUR)})
        ON CONFLICT (id) DO UPDATE SET rolled_until = excluded.rolled_until`;
      return true;
    },
    { timeout: 120_000 },
  );
}

/** The hour after the last one rolled up; initially the start of the oldest result partition. */
async function findNextHour(tx: Transaction, now: number): Promise<number> {
  const [found] = await tx.$queryRaw<{ hour: Date | null }[]>`
    SELECT coalesce((SELECT rolled_until FROM raw.rollup_progress),
                    (SELECT min(substring(pg_get_expr(relpartbound, oid) FROM $$FROM [(]'([^']+)'[)]$$)::timestamptz)
                       FROM pg_inherits JOIN pg_class ON oid = inhrelid
                      WHERE inhparent = 'raw.check_result'::regclass)) AS hour`;
  return Math.floor((found?.hour?.getTime() ?? now) / HOUR) * HOUR;
}

/**
 * Counts the results of all monitors from `from` to `to`, both full hours, in one statement, and replaces
 * earlier counts of these hours. Response times include good checks only: a refused connection is fast, but
 * not a service.
 */
async function rollUpBetween(tx: Transaction, from: Date, to: Date): Promise<void> {
  await createRollupMonth(tx, from);
  await createRollupMonth(tx, new Date(to.getTime() - 1));
  await tx.$executeRaw`
    INSERT INTO raw.rollup_hour (hour, monitor, region, checks, failures, unknown, response_time_sum, latency)
    SELECT hour, monitor, region,
           coalesce(sum(n) FILTER (WHERE outcome < 2), 0),
           coalesce(sum(n) FILTER (WHERE outcome = 1), 0),
           coalesce(sum(n) FILTER (WHERE outcome = 2), 0),
           coalesce(sum(total) FILTER (WHERE bucket IS NOT NULL), 0),
           coalesce(array_agg((bucket << 24) + n ORDER BY bucket) FILTER (WHERE bucket IS NOT NULL), '{}')
      FROM (SELECT date_bin('1 hour', checked_at, ${from}) AS hour, monitor, region, outcome,
                   CASE WHEN outcome = 0 THEN width_bucket(response_time, ${BUCKET_STARTS}::int[]) END AS bucket,
                   count(*)::int AS n, sum(response_time) AS total
              FROM raw.check_result
             WHERE checked_at >= ${from} AND checked_at < ${to}
             GROUP BY 1, 2, 3, 4, 5) AS counted
     GROUP BY hour, monitor, region
    ON CONFLICT (monitor, hour, region) DO UPDATE
       SET checks = excluded.checks, failures = excluded.failures, unknown = excluded.unknown,
           response_time_sum = excluded.response_time_sum, latency = excluded.latency`;
}

/** Creates the partition for the month of `at` if it is missing. */
export async function createRollupMonth(tx: Transaction, at: Date): Promise<void> {
  const from = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth())).toISOString();
  const to = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)).toISOString();
  const name = `rollup_hour_${from.slice(0, 7).replace('-', '')}`;
  // Identifiers and bounds cannot be parameters; all of these are dates generated here.
  await tx.$executeRawUnsafe(
    `CREATE TABLE IF NOT EXISTS raw.${name} PARTITION OF raw.rollup_hour FOR VALUES FROM ('${from}') TO ('${to}')`,
  );
}
