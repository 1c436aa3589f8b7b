import type { Services } from '@/lib/domain/context/services';
import { BUCKET_STARTS } from '@/lib/domain/monitors/history/read-latency';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { RECORDED_WITHIN_MS } from '@/lib/state/schedule-grid';

const HOUR = 3_600_000;
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
      if (hour + HOUR + RECORDED_WITHIN_MS > now) return false;
      // Repeat the previous hour for results recorded late; otherwise it yields the same values.
      const [from, to] = [new Date(hour - HOUR), new Date(hour + HOUR)];
      await createRollupMonth(tx, from);
      await createRollupMonth(tx, new Date(to.getTime() - 1));
      await countHours(tx, Prisma.sql`raw.check_result WHERE checked_at >= ${from} AND checked_at < ${to}`);
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
 * Keeps hours from being rolled up until the transaction ends, for those who change results of the past. False if one is being rolled up:
 * neither waits for the other.
 */
export async function holdRollups(tx: Transaction): Promise<boolean> {
  const [lock] = await tx.$queryRaw<{ isHeld: boolean }[]>`
    SELECT pg_try_advisory_xact_lock_shared(${ROLL_UP_LOCK}) AS "isHeld"`;
  return lock?.isHeld ?? false;
}

/** The same, after waiting for an hour that is being rolled up. */
export async function awaitRollups(tx: Transaction): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${ROLL_UP_LOCK})`;
}

/** Counts the hours of results again that are rolled up already, after `holdRollups`; the others follow in their turn. */
export async function recountHours(
  tx: Transaction,
  results: readonly { monitor: number; region: number; at: Date }[],
): Promise<void> {
  await countHours(
    tx,
    Prisma.sql`(
      SELECT DISTINCT monitor AS number, region AS place, date_bin('1 hour', at, 'epoch') AS since
        FROM unnest(${results.map(({ monitor }) => monitor)}::int[], ${results.map(({ region }) => region)}::smallint[],
                    ${results.map(({ at }) => at)}::timestamptz[]) AS given (monitor, region, at)
       WHERE at < (SELECT rolled_until FROM raw.rollup_progress)) AS wanted
     CROSS JOIN LATERAL (
             SELECT * FROM raw.check_result
              WHERE monitor = number AND region = place
                AND checked_at >= since AND checked_at < since + interval '1 hour'
              -- One after the other: no join, which could read whole partitions.
             OFFSET 0) AS own`,
  );
}

/**
 * Counts results by hour in one statement, and replaces earlier counts of these hours. Response times include good checks only: a
 * refused connection is fast, but not a service.
 */
async function countHours(tx: Transaction, results: Prisma.Sql): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO raw.rollup_hour (hour, monitor, region, checks, failures, unknown, response_time_sum, latency)
    SELECT hour, monitor, region,
           coalesce(sum(n) FILTER (WHERE outcome < 2), 0),
           coalesce(sum(n) FILTER (WHERE outcome = 1), 0),
           coalesce(sum(n) FILTER (WHERE outcome = 2), 0),
           coalesce(sum(total) FILTER (WHERE bucket IS NOT NULL), 0),
           coalesce(array_agg((bucket << 24) + n ORDER BY bucket) FILTER (WHERE bucket IS NOT NULL), '{}')
      FROM (SELECT date_bin('1 hour', checked_at, 'epoch') AS hour, monitor, region, outcome,
                   CASE WHEN outcome = 0 THEN width_bucket(response_time, ${BUCKET_STARTS}::int[]) END AS bucket,
                   count(*)::int AS n, sum(response_time) AS total
              FROM ${results}
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
