import type { Client } from 'pg';
import { formatTiming } from '@/lib/core/time/duration';
import { poll } from '@/lib/core/time/poll';
import { withClient } from '../connections/with-client';

/** After this long, in milliseconds, a statement stops waiting for a lock. */
export const LOCK_PATIENCE_MS = 60_000;
/** After this long, people read what they are waiting for. */
const NOTICE_MS = 5000;

/** A session that holds a lock, or waits for it ahead, with what it is doing. */
export type LockHolder = { pid: number; description: string };

/** Who holds the locks that these sessions wait for. Other users' rows contain only the pid. */
export async function readHolders(client: Client, waiting: readonly number[]): Promise<LockHolder[]> {
  const { rows } = await client.query<LockHolder>(
    `SELECT pid, concat_ws(', ', nullif(application_name, ''), state,
                           extract(epoch FROM clock_timestamp() - xact_start)::int || ' s') AS description
       FROM pg_stat_activity
      WHERE pid IN (SELECT unnest(pg_blocking_pids(waiting)) FROM unnest($1::int[]) AS waiting) ORDER BY xact_start`,
    [waiting],
  );
  return rows;
}

/** Such as `process 7 (psql, idle in transaction)`. */
export function formatHolders(holders: readonly LockHolder[]): string {
  if (holders.length === 0) return 'another connection';
  return holders
    .map(({ pid, description }) => `process ${pid}${description && ` (${description})`}`)
    .join(', ');
}

/**
 * While something runs that should take a moment: reports one line if sessions of Pharos wait for a lock for five seconds, and another when others
 * hold it. Returns a function that ends this. Never fails: it only explains.
 */
export function reportLockWaits(
  url: string,
  report: (line: string) => void,
  noticeMs: number = NOTICE_MS,
): () => Promise<void> {
  let reported = '';
  const look = async () => {
    const holders = await findHolders(url, noticeMs);
    const pids = holders.map(({ pid }) => pid).join();
    if (holders.length === 0 || pids === reported) return;
    reported = pids;
    report(
      `waiting for a lock in the database, for up to ${formatTiming(LOCK_PATIENCE_MS)}: it is held by ${formatHolders(holders)}`,
    );
  };
  return poll(look, { firstMs: noticeMs, everyMs: noticeMs, onError: () => undefined }).stop;
}

async function findHolders(url: string, forMs: number): Promise<LockHolder[]> {
  return withClient({ connectionString: url, application_name: 'pharos lock notice' }, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT DISTINCT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE NOT granted AND datname = current_database() AND application_name LIKE 'pharos %'
          AND waitstart < clock_timestamp() - interval '1 millisecond' * $1 * 0.9`,
      [forMs],
    );
    return await readHolders(
      client,
      rows.map(({ pid }) => pid),
    );
  });
}
