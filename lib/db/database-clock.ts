import type { Clock } from '@/lib/core/clock';
import type { Database } from './client';

const MEASURE_MS = 60_000;

/** A clock that follows Postgres': every process that shares the database agrees on the time. */
export type DatabaseClock = Clock & {
  /** Asks Postgres for its time; the offset found holds until the next call. Throws when the database is away. */
  measure(): Promise<void>;
  /** Measures every minute from now on, quietly; call what it answers to stop. */
  follow(): () => void;
};

/** Shows this machine's time until `measure` has been called. */
export function createDatabaseClock(db: Pick<Database, '$queryRaw'>): DatabaseClock {
  let offsetMs = 0;
  const measure = async () => {
    const before = Date.now();
    const rows = await db.$queryRaw<{ ms: number }[]>`
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`;
    const after = Date.now();
    const theirs = rows[0]?.ms;
    if (theirs !== undefined) offsetMs = Math.round(theirs - (before + after) / 2);
  };
  return {
    now: () => new Date(Date.now() + offsetMs),
    measure,
    follow: () => {
      const timer = setInterval(() => void measure().catch(() => undefined), MEASURE_MS);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}
