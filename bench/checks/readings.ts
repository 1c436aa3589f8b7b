import type { Database } from '@/lib/platform/db/client';

/** Bytes of the write-ahead log so far. */
export async function readLog(db: Database): Promise<number> {
  const [row] = await db.$queryRaw<{ bytes: number }[]>`
    SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes`;
  return row?.bytes ?? 0;
}

/** Results of checks that began from `from` until before `until`. Throws if there are none. */
export async function countChecks(db: Database, from: Date, until: Date) {
  const [found] = await db.$queryRaw<{ checks: number; failed: number }[]>`
    SELECT count(*)::float8 AS checks, count(*) FILTER (WHERE outcome <> 0)::float8 AS failed
      FROM raw.check_result WHERE checked_at >= ${from} AND checked_at < ${until}`;
  if (!found?.checks) throw new Error('no check was recorded');
  return found;
}
