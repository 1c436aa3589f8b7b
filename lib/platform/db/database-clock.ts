import { createSyncedClock, type SyncedClock } from '@/lib/core/time/synced-clock';
import type { Database } from './client';

/** A clock synchronized with Postgres: every process that shares the database agrees on the time. */
export type DatabaseClock = SyncedClock;

/** Uses `local`, this machine's time, until `measure` is called. */
export function createDatabaseClock(db: Pick<Database, '$queryRaw'>, local?: () => number): DatabaseClock {
  return createSyncedClock(async () => {
    const [row] = await db.$queryRaw<[{ ms: number }]>`
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`;
    return row.ms;
  }, local);
}
