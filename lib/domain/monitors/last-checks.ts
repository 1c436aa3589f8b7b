import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { LastCheck } from '@/lib/state/routine';

/**
 * Makes every result of these monitors be decided upon from now on, after waiting for routine results that are being recorded;
 * see lib/engine/checks/recording/record-routine.ts. Required before a state is read to be changed. The caller holds the locks of
 * the state rows. Locks rows in the order of `recordRoutine`, to avoid deadlocks.
 */
export async function contest(tx: Transaction, monitorIds: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE probe_schedule AS schedule SET is_contested = true
      FROM (SELECT monitor_id, region FROM probe_schedule
             WHERE monitor_id = ANY(${[...monitorIds]}) AND NOT is_contested
             ORDER BY monitor_id, region FOR UPDATE) AS held
     WHERE schedule.monitor_id = held.monitor_id AND schedule.region = held.region`;
}

/** The last checks of the monitor `monitorId` from its regions as JSON, for `withLastChecks`; null without any. */
export function lastChecksOf(monitorId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
    SELECT json_agg(json_build_object('region', region, 'startedAt', ${toMs(Prisma.sql`last_checked_at`)},
                                      'resultAt', ${toMs(Prisma.sql`last_result_at`)}, 'responseTime', last_response_time))
      FROM probe_schedule WHERE monitor_id = ${monitorId} AND last_checked_at IS NOT NULL)`;
}

/** A column of `lastChecksOf`. */
export type LastChecks = LastCheck[] | null;

/** The last check of a monitor from any region; null without any. Times are epoch milliseconds. */
export function latestOf(checks: LastChecks): LastCheck | null {
  return (checks ?? []).reduce<LastCheck | null>(
    (latest, check) => (latest === null || check.startedAt > latest.startedAt ? check : latest),
    null,
  );
}

/** Assignments of an UPDATE of monitor_state that keep the later of its last check and that of `given`, as checkedAt and responseTime. */
export function keepLastCheck(given: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
           last_response_time = CASE WHEN ${given}."checkedAt" >= coalesce(last_checked_at, '-infinity')
                                     THEN ${given}."responseTime" ELSE last_response_time END,
           last_checked_at = greatest(last_checked_at, ${given}."checkedAt")`;
}

/** Epoch milliseconds of a timestamp: multiplied as a number without rounding errors, because moments are compared. */
export function toMs(timestamp: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(extract(epoch FROM ${timestamp}) * 1000)::float8`;
}
