import type { Database } from '@/lib/platform/db/client';

/** So long may the recording of results stand still behind a drop that itself waits for a long reader. */
const LOCK_TIMEOUT = '2s';

/**
 * Drops the partitions of a table in the schema "raw" that end at `end` or before: a file is removed, no row is read.
 * Throws when a table stays in use for two seconds; the rest is dropped at the next call.
 */
export async function dropOldPartitions(
  db: Database,
  table: 'check_result' | 'rollup_hour',
  end: Date,
): Promise<void> {
  const old = await db.$queryRaw<{ name: string }[]>`
    SELECT relname AS name
      FROM pg_inherits JOIN pg_class ON oid = inhrelid
     WHERE inhparent = ${`raw.${table}`}::regclass
       AND substring(pg_get_expr(relpartbound, oid) FROM $$TO [(]'([^']+)'[)]$$)::timestamptz <= ${end}
     ORDER BY relname`;
  for (const { name } of old) {
    await db.$transaction([
      db.$executeRawUnsafe(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`),
      // Another worker may have dropped it by now.
      db.$executeRawUnsafe(`DROP TABLE IF EXISTS raw."${name}"`),
    ]);
  }
}
