import { afterAll, beforeAll } from 'vitest';
import { createDatabase, type Database } from '@/lib/platform/db/client';

/** PostgreSQL plans a statement of a connection so many times before it keeps one plan for every later use. */
export const CUSTOM_PLANS = 5;

/** Provides the tests of a file with one connection to its database: plans and counters belong to a connection. Use it only in tests and hooks. */
export function useOneConnection(database: { readonly url: string }): { readonly db: Database } {
  let db: Database | undefined;
  beforeAll(() => {
    db = createDatabase(database.url, { poolSize: 1, name: 'pharos worker' });
  });
  afterAll(() => db?.$disconnect());
  return {
    get db() {
      if (!db) throw new Error('the connection is only available in tests and hooks');
      return db;
    },
  };
}

/** Has the connection report what it has read and written: others know of it then. */
export async function reportCounters(db: Database): Promise<void> {
  await db.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
}

/**
 * What `act` has PostgreSQL read: rows by scans of whole tables, by table, and entries of indexes, by index. `db` has one connection, to a database that
 * nobody else uses. Each as a multiple of `units`, and only what is above `atMost`.
 */
export async function countReads(
  db: Database,
  { units, atMost }: { units: number; atMost: number },
  act: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const before = await readCounters(db);
  await act();
  const after = await readCounters(db);
  const perUnit = [...after].map(([name, read]) => [name, (read - (before.get(name) ?? 0)) / units] as const);
  return Object.fromEntries(perUnit.filter(([, read]) => read > atMost));
}

async function readCounters(db: Database): Promise<Map<string, number>> {
  await reportCounters(db);
  const rows = await db.$queryRaw<{ name: string; read: number }[]>`
    SELECT relname AS name, seq_tup_read::int AS read FROM pg_stat_user_tables
    UNION ALL
    SELECT indexrelname, idx_tup_read::int FROM pg_stat_user_indexes`;
  return new Map(rows.map(({ name, read }) => [name, read]));
}
