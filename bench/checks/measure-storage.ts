import type { Database } from '@/lib/platform/db/client';

/** Sizes of raw results in the database, in bytes. */
export type Storage = { rows: number; heap: number; index: number };

/** Updates of a table that every check updates; HOT updates touch no index. */
export type Updates = { table: string; updates: number; hot: number };

/** Counts rows and bytes of all partitions of raw.check_result. */
export async function measureStorage(db: Database): Promise<Storage> {
  const rows = await db.$queryRaw<Storage[]>`
    SELECT (SELECT count(*) FROM raw.check_result)::float8 AS rows,
           sum(pg_table_size(inhrelid))::float8 AS heap, sum(pg_indexes_size(inhrelid))::float8 AS index
      FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'raw.check_result'::regclass AND pg_relation_size(inhrelid) > 0`;
  return rows[0] ?? { rows: 0, heap: 0, index: 0 };
}

/** Bytes of write-ahead log since the cluster was created. */
export async function readWalPosition(db: Database): Promise<number> {
  const rows = await db.$queryRaw<{ bytes: number }[]>`
    SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes`;
  return rows[0]?.bytes ?? 0;
}

/** The updates so far of the tables that every check updates. */
export async function readUpdates(db: Database): Promise<Updates[]> {
  return db.$queryRaw<Updates[]>`
    SELECT relname AS table, n_tup_upd::float8 AS updates, n_tup_hot_upd::float8 AS hot FROM pg_stat_user_tables
     WHERE relname IN ('probe_schedule', 'monitor_state') ORDER BY relname`;
}

/** Committed transactions so far. */
export async function readCommits(db: Database): Promise<number> {
  const rows = await db.$queryRaw<{ commits: number }[]>`
    SELECT xact_commit::float8 AS commits FROM pg_stat_database WHERE datname = current_database()`;
  return rows[0]?.commits ?? 0;
}
