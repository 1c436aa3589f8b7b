import type { Clock } from '@/lib/core/clock';
import type { Database } from './client';

const MEASURE_MS = 60_000;
const RETRY_MS = 2000;
const SAMPLES = 5;

/** A clock that follows Postgres': every process that shares the database agrees on the time. */
export type DatabaseClock = Clock & {
  /** Asks Postgres for its time; the offset found holds until the next call. Throws when the database is away. */
  measure(): Promise<void>;
  /**
   * Measures every minute from now on, quietly, and soon again where the database was unavailable; call what it
   * answers to stop.
   */
  follow(): () => void;
};

/**
 * Shows `local`, this machine's time, until `measure` has been called. Of a few round trips the shortest says most, for
 * the answer's time lies somewhere within it; an offset that it allows stays as it is. So processes on the machine of
 * their database differ by nothing at all, however slow a connection or a busy processor makes the asking.
 */
export function createDatabaseClock(
  db: Pick<Database, '$queryRaw'>,
  local: () => number = Date.now,
): DatabaseClock {
  let offsetMs = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  const measure = async () => {
    const samples: Sample[] = [];
    for (let i = 0; i < SAMPLES; i++) samples.push(await ask(db, local));
    const { before, after, theirs } = samples.reduce((best, next) =>
      tripOf(next) < tripOf(best) ? next : best,
    );
    // `local` counts whole milliseconds: the end of the trip may be almost one later than it says.
    const allowed = theirs - (after + 1) <= offsetMs && offsetMs <= theirs - before;
    if (!allowed) offsetMs = Math.round(theirs - (before + after) / 2);
    measuredAt = performance.now();
  };
  return {
    now: () => new Date(local() + offsetMs),
    measure,
    follow: () => {
      let isMeasuring = false;
      const measureIfDue = async () => {
        if (isMeasuring || performance.now() - measuredAt < MEASURE_MS) return;
        isMeasuring = true;
        // Whoever works on the database says in the log that it is unavailable.
        await measure().catch(() => 'retried');
        isMeasuring = false;
      };
      const timer = setInterval(() => void measureIfDue(), RETRY_MS);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

type Sample = { before: number; after: number; theirs: number };

const tripOf = ({ before, after }: Sample) => after - before;

async function ask(db: Pick<Database, '$queryRaw'>, local: () => number): Promise<Sample> {
  const before = local();
  const [row] = await db.$queryRaw<[{ ms: number }]>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`;
  return { before, after: local(), theirs: row.ms };
}
