import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';

/** How soon after a check was requested another one of the same monitor is. */
const REST_MS = 5000;

/**
 * Has monitors checked at once in all of their regions, at most every five seconds. Unlike a check that a person requests, these count:
 * they are checks off the grid, as those that confirm an outage. Monitors whose results are being recorded are left for the next call.
 */
export async function requestChecks(
  tx: Transaction,
  monitorIds: readonly string[],
  now: Date,
): Promise<void> {
  if (monitorIds.length === 0) return;
  const requested = await tx.$executeRaw`
    WITH free AS MATERIALIZED (
      SELECT monitor_id FROM monitor_state WHERE monitor_id = ANY(${[...monitorIds]})
       ORDER BY monitor_id FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE probe_schedule SET next_check_at = ${now} FROM free
     WHERE probe_schedule.monitor_id = free.monitor_id
       AND next_check_at NOT BETWEEN ${new Date(now.getTime() - REST_MS)} AND ${now}`;
  if (requested > 0) await notify(tx, 'pharos_checks');
}
