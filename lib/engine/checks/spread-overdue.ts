import type { Services } from '@/lib/domain/context/services';
import { Prisma } from '@/lib/platform/db/generated/client';
import { type Share, slotsOf } from './claim-checks';

/** What is overdue is checked at half the usual pace, beside what falls due meanwhile. */
const PACE = 0.5;
/** Where few monitors are, so many checks a second: a burst of them is none. */
const MIN_PACE = 1;

/**
 * Gives overdue checks of a share new times from now on: after a gap, whatever it came from, they would all be done in one
 * burst. The longest overdue comes first and at once, the others follow at half the pace of all checks of the share, each at
 * its monitor's next time on the grid at the latest. So none waits longer than one interval, and no second has many more
 * checks than usual. Processes that call it at once take turns: what one has spread is not overdue for the next. Answers how
 * many there were.
 */
export async function spreadOverdue({ db, clock }: Services, share: Share): Promise<number> {
  const { region } = share;
  const { first, last } = slotsOf(share);
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`pharos spread ${region}`}, 0))`;
    const now = clock.now();
    const isOverdue = Prisma.sql`next_check_at <= ${now} AND (lease_until IS NULL OR lease_until < ${now})`;
    return tx.$executeRaw`
      WITH overdue AS (
        SELECT monitor_id, row_number() OVER (ORDER BY next_check_at, monitor_id) - 1 AS place
          FROM probe_schedule
         WHERE region = ${region} AND slot BETWEEN ${first}::int AND ${last}::int
           AND ${isOverdue}
      ), pace AS (
        SELECT greatest(sum(${PACE}::float8 / interval), ${MIN_PACE}::float8) AS per_second
          FROM probe_schedule JOIN monitor ON monitor.id = monitor_id
         WHERE region = ${region} AND slot BETWEEN ${first}::int AND ${last}::int
      )
      UPDATE probe_schedule AS schedule
         SET next_check_at = least(${now}::timestamptz + make_interval(secs => place / per_second),
                                   grid_slot_after(${now}::timestamptz, monitor.interval, schedule.phase))
        FROM overdue, pace, monitor
       WHERE schedule.monitor_id = overdue.monitor_id AND schedule.region = ${region}
         AND monitor.id = schedule.monitor_id AND ${isOverdue}`;
  });
}
