import type { Database, Transaction } from '@/lib/platform/db/client';

const DAY = 86_400_000;
const DAYS_AHEAD = 7;
const PARTITION_LOCK = 7274269;

/**
 * Makes the daily partitions of raw.check_result from yesterday to a week ahead, where they are missing: a worker that
 * lives through midnight never finds its table gone. Two workers at once take turns.
 */
export function ensureResultPartitions(db: Database, now: Date): Promise<void> {
  return createResultPartitions(db, now, 1);
}

/** Makes the daily partitions from `daysBack` days ago to a week ahead, where they are missing. */
export async function createResultPartitions(db: Database, now: Date, daysBack: number): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${PARTITION_LOCK})`;
    await createMissing(tx, now, daysBack);
  });
}

async function createMissing(tx: Transaction, now: Date, daysBack: number): Promise<void> {
  const today = Math.floor(now.getTime() / DAY);
  for (let day = today - daysBack; day <= today + DAYS_AHEAD; day++) {
    const from = new Date(day * DAY).toISOString();
    const to = new Date((day + 1) * DAY).toISOString();
    const name = `check_result_${from.slice(0, 10).replaceAll('-', '')}`;
    // Identifiers and bounds cannot be parameters; all of these are dates of our own making.
    await tx.$executeRawUnsafe(
      `CREATE TABLE IF NOT EXISTS raw.${name} PARTITION OF raw.check_result FOR VALUES FROM ('${from}') TO ('${to}')`,
    );
  }
}
