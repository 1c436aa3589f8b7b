import type { Services } from '@/lib/domain/context/services';
import {
  IS_CONCLUSIVE,
  IS_PROBED,
  IS_TIMELY,
  lastCheckIn,
  VOTE_SECONDS,
} from '@/lib/domain/monitors/last-checks';
import { resultAtIn } from '@/lib/domain/monitors/silence';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { type AdvanceServices, advanceMonitors } from './advance-monitors';
import { lockMonitors } from './recording/monitor-states';

const BATCH = 500;

/**
 * Ticks monitors that have not been checked for so long that every region lost its vote (3 × the larger of
 * interval and timeout): an unknown period starts in the ledger. Returns how many were ticked.
 */
export async function tickSilentMonitors(services: Services & AdvanceServices): Promise<number> {
  const { db, clock } = services;
  return db.$transaction(async (tx) => {
    const now = clock.now();
    const silent = await tx.$queryRaw<{ id: string }[]>`
      SELECT monitor.id FROM monitor_state JOIN monitor ON monitor.id = monitor_state.monitor_id
       WHERE monitor.enabled AND ${IS_PROBED} AND status <> 'pending' AND machine->>'unknownSince' IS NULL
         AND last_checked_at < ${now}::timestamptz - interval '1 second' * ${VOTE_SECONDS}
         AND NOT EXISTS (
           SELECT FROM raw.check_result
            WHERE check_result.monitor = monitor.number AND ${IS_CONCLUSIVE} AND ${IS_TIMELY}
              AND checked_at >= ${now}::timestamptz - interval '1 second' * ${VOTE_SECONDS})
       ORDER BY monitor.id LIMIT ${BATCH}`;
    return tickMonitors(tx, services, { ids: silent.map(({ id }) => id), unserved: [] });
  });
}

/**
 * Removes the votes of regions without a worker from monitors that no other region checks, once their next
 * results are overdue: an unknown period starts. At most 500 monitors; returns how many were ticked.
 */
export async function tickUnservedMonitors(
  services: Services & AdvanceServices,
  unserved: readonly string[],
): Promise<number> {
  const { db, clock } = services;
  if (unserved.length === 0) return 0;
  return db.$transaction(async (tx) => {
    const overdue = await tx.$queryRaw<{ id: string }[]>(overdueVotesQuery(unserved, clock.now()));
    return tickMonitors(tx, services, { ids: overdue.map(({ id }) => id), unserved });
  });
}

/**
 * The monitors to tick: scheduled in an unserved region whose last result is one interval old, and without a
 * region that keeps its vote. The same rule as `dropLostVotes`.
 */
export function overdueVotesQuery(unserved: readonly string[], now: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT DISTINCT monitor.id
      FROM probe_schedule AS schedule
      JOIN monitor ON monitor.id = schedule.monitor_id
      JOIN monitor_state AS state ON state.monitor_id = schedule.monitor_id
      LEFT JOIN LATERAL ${lastCheckIn(Prisma.sql`schedule.region`, now)} AS last ON true
     WHERE schedule.region = ANY(${[...unserved]}) AND monitor.enabled
       AND ${resultAtIn(Prisma.sql`schedule.region`)} <= ${now.getTime()}::float8 - 1000 * interval
       AND NOT EXISTS (
         SELECT FROM unnest(monitor.regions) AS own (region)
           LEFT JOIN LATERAL ${lastCheckIn(Prisma.sql`own.region`, now)} AS last ON true
          WHERE ${resultAtIn(Prisma.sql`own.region`)} > ${now.getTime()}::float8 -
                CASE WHEN own.region = ANY(${[...unserved]}) THEN 1000 * interval
                     ELSE 1000 * ${VOTE_SECONDS} + 1 END)
     ORDER BY monitor.id LIMIT ${BATCH}`;
}

async function tickMonitors(
  tx: Transaction,
  services: Pick<Services, 'clock' | 'races'> & AdvanceServices,
  { ids, unserved }: { ids: string[]; unserved: readonly string[] },
): Promise<number> {
  if (ids.length === 0) return 0;
  const { monitors, now } = await lockMonitors(tx, services, ids);
  await advanceMonitors(
    tx,
    services,
    monitors.map((monitor) => ({
      monitor,
      inputs: [{ kind: 'tick' as const, unserved }],
      observation: null,
    })),
    now,
  );
  return ids.length;
}
