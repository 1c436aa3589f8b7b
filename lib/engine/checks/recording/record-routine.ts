import type { Services } from '@/lib/domain/context/services';
import { Prisma } from '@/lib/platform/db/generated/client';
import { formatHint } from '@/lib/platform/live/note-live';
import { resultTime } from '@/lib/state/region';
import { isRoutine } from '@/lib/state/routine';
import type { ResultInput } from '@/lib/state/types';
import { type FinishedCheck, RESULT_COLUMNS, resultRows, toRow } from './store-results';

/**
 * Records routine results, as nearly all are: those that cannot change the status of their monitor. One statement without a
 * transaction stores them, ends their claims, and notes in the schedule when the region last reported, which the next decision
 * about the monitor reads first (`contest`). Results of monitors that became contested meanwhile, whose claim is over, or
 * that are not routine, are left: returns those, together with the others of their monitors.
 */
export async function recordRoutine(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  finished: readonly FinishedCheck[],
): Promise<{ recorded: number; left: FinishedCheck[] }> {
  const now = clock.now();
  const decided = new Set(
    finished.filter((each) => !canBeRoutine(each, now)).map(({ check }) => check.monitorId),
  );
  const routine = finished
    .filter(({ check }) => !decided.has(check.monitorId))
    // The order in which everyone locks these rows.
    .sort((a, b) => (a.check.monitorId < b.check.monitorId ? -1 : 1));
  if (routine.length === 0) return { recorded: 0, left: [...finished] };
  const rows = await db.$queryRaw<{ claim: string }[]>(routineQuery(routine, now));
  const recorded = new Set(rows.map(({ claim }) => claim));
  const left = finished.filter(({ check }) => !recorded.has(check.claim));
  return { recorded: recorded.size, left };
}

function canBeRoutine({ check, startedAt, result }: FinishedCheck, now: Date): boolean {
  if (check.isContested) return false;
  const last = {
    resultAt: check.lastResultAt?.getTime() ?? null,
    certificateExpiresAt: check.certificateExpiresAt?.getTime() ?? null,
  };
  return isRoutine(check.config, last, toInput({ check, startedAt, result }), now.getTime());
}

/** A finished check as the status decides about it. */
export function toInput({ check, startedAt, result }: FinishedCheck): ResultInput {
  return { kind: 'result', region: check.region, startedAt: startedAt.getTime(), ...result };
}

/**
 * Reads and writes one schedule row per result; ANY leaves the planner, which does not know how few there are, no choice. A claim
 * that is still valid implies the configuration.
 */
export function routineQuery(routine: readonly FinishedCheck[], now: Date): Prisma.Sql {
  const rows = routine.map((each) => ({
    ...toRow(each),
    id: each.check.monitorId,
    region_id: each.check.region,
    claim: each.check.claim,
    interval: each.check.config.intervalMs / 1000,
    result_at: new Date(
      resultTime(each.check.config, { startedAt: each.startedAt.getTime() }, now.getTime()),
    ),
  }));
  const more = Prisma.sql`, id text, region_id text, claim uuid, interval int, result_at timestamptz`;
  const hints = formatHint({
    kind: 'results',
    organizationIds: routine.map(({ check }) => check.organizationId),
  });
  return Prisma.sql`
    WITH given AS MATERIALIZED (
      SELECT * FROM ${resultRows(rows, more)}
    ), ended AS (
      UPDATE probe_schedule AS schedule
         SET ${endClaim(now, Prisma.sql`given.interval`)},
             last_checked_at = given.checked_at, last_result_at = given.result_at, last_response_time = given.response_time
        FROM given
       WHERE schedule.monitor_id = ANY(ARRAY(SELECT id FROM given))
         AND schedule.monitor_id = given.id AND schedule.region = given.region_id AND schedule.claim = given.claim
         AND NOT schedule.is_contested
      RETURNING given.claim
    ), stored AS (
      INSERT INTO raw.check_result (${RESULT_COLUMNS})
      SELECT ${RESULT_COLUMNS} FROM given JOIN ended USING (claim)
    ), told AS (
      SELECT count(pg_notify('pharos_live', hint)) AS hints FROM unnest(${hints}::text[]) AS hint
    )
    SELECT claim::text AS claim FROM ended, told`;
}

/** Ends the claim of a row of `schedule`. A check that ran past its next slot skips it. */
export function endClaim(now: Date, interval: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`claim = NULL, claimed_by = NULL, lease_until = NULL,
             next_check_at = CASE WHEN schedule.next_check_at > ${now}::timestamptz THEN schedule.next_check_at
               ELSE grid_slot_after(${now}::timestamptz, ${interval}, schedule.phase) END`;
}
