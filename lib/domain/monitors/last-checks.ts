import { PROBED_TYPES } from '@/lib/checks/types';
import { groupBy } from '@/lib/core/groups';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { toMs } from '@/lib/platform/db/moment-columns';
import { OUTCOMES } from '@/lib/schemas/monitor/result';
import { BUILT_IN_REGIONS } from '@/lib/schemas/regions';
import type { LastCheck } from '@/lib/state/routine';
import { RECORDED_WITHIN_MS, SLOTS_PER_SHARD } from '@/lib/state/schedule-grid';

/** How long a vote of a `monitor` counts; the same as in lib/state. */
export const VOTE_SECONDS = Prisma.sql`(3 * greatest(monitor.interval, monitor.timeout))`;

/** Whether workers probe the target of a `monitor`: others have no schedule, and no regions that could be silent. */
export const IS_PROBED = Prisma.sql`monitor.type = ANY(${PROBED_TYPES}::monitor_type[])`;

/** Whether a stored result arrived in time to decide anything; a late one is history only. */
export const IS_TIMELY = Prisma.sql`late IS NULL`;

/** Whether a stored result says anything about its target. */
export const IS_CONCLUSIVE = Prisma.raw(`outcome <> ${OUTCOMES.indexOf('unknown')}`);
/** Whether it failed. */
export const IS_FAILED = Prisma.raw(`outcome = ${OUTCOMES.indexOf('failed')}`);

/** A shard of the schedule of a region. */
export type ShardId = { region: string; shard: number };

/** Whether the state in a column `machine` is marked as not contested (`contestMark`): results of its monitor can be recorded without a decision. */
export const IS_UNCONTESTED = Prisma.sql`coalesce(machine->'isContested' IN ('false', '"down"'), false)`;

/**
 * Makes sure that nothing about monitors that are not contested is recorded without a decision until the transaction ends, after
 * waiting for what is being recorded; see lib/engine/checks/recording/record-routine.ts. Required before such a state is read to be
 * changed, together with `readLastChecks`: the caller holds the locks of the state rows. Locks the shards of those monitors, and
 * `others`, in one order.
 */
export async function contest(
  tx: Transaction,
  uncontested: readonly string[],
  others: readonly ShardId[] = [],
): Promise<void> {
  if (uncontested.length === 0) return;
  await tx.$executeRaw`
    SELECT 1
      FROM raw.shard_lease
     WHERE (region, shard) IN (
             SELECT region, slot / ${SLOTS_PER_SHARD}::int
               FROM probe_schedule
              WHERE monitor_id = ANY(${[...uncontested]})
             UNION
             SELECT *
               FROM unnest(${others.map(({ region }) => region)}::text[], ${others.map(({ shard }) => shard)}::int[]))
     ORDER BY region, shard
       FOR NO KEY UPDATE`;
}

/** Upkeep finds silent monitors within this time after they lost their votes, and writes what it saw into their states. */
const TICKED_WITHIN_SECONDS = 600;
/** No result is recorded this long after its region was last served. */
const RECORDED_WITHIN_SECONDS = RECORDED_WITHIN_MS / 1000;

/**
 * The last checks of monitors from their regions, for `withLastChecks`, by ID: those whose results were recorded without a decision,
 * thus after the last ones that the states know.
 */
export async function readLastChecks(
  tx: Pick<Transaction, '$queryRaw'>,
  monitorIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, LastCheck[]>> {
  if (monitorIds.length === 0) return new Map();
  const rows = await tx.$queryRaw<(LastCheck & { id: string })[]>`
    SELECT monitor.id, own.region, ${toMs(Prisma.sql`last.checked_at`)} AS "startedAt",
           ${resultMs(Prisma.sql`last`)} AS "resultAt", last.response_time AS "responseTime",
           CASE WHEN last.${IS_FAILED}
                THEN ${countFailedIn(Prisma.sql`own.region`, Prisma.sql`checked_at <= last.checked_at`)}
                ELSE 0 END AS failures
      FROM monitor
           JOIN monitor_state ON monitor_id = monitor.id
           CROSS JOIN unnest(regions) AS own (region)
           CROSS JOIN LATERAL ${lastCheckIn(Prisma.sql`own.region`, now)} AS last
     WHERE monitor.id = ANY(${[...monitorIds]})`;
  return groupBy(rows, ({ id }) => id);
}

/**
 * The last conclusive check of `monitor` from `region` that its state `machine` has not seen and that was not late, as a subquery with
 * checked_at, response_time, outcome and error_code. Walks back from the newest result, no further than until the region was last served, or votes could matter.
 */
export function lastCheckIn(region: Prisma.Sql, now: Date): Prisma.Sql {
  return Prisma.sql`(
    SELECT checked_at, response_time, outcome, error_code
      FROM (SELECT ${startedAtIn(region)} AS started_at,
                   least(${now}::timestamptz,
                         (SELECT served_at FROM region_presence WHERE region_presence.region = ${region})) AS until
           ) AS known,
           raw.check_result
     WHERE check_result.monitor = monitor.number
       AND check_result.region = ${numberOf(region)}
       AND ${IS_CONCLUSIVE}
       AND ${IS_TIMELY}
       AND checked_at > greatest(started_at,
                                 until - interval '1 second' * (${VOTE_SECONDS} + ${TICKED_WITHIN_SECONDS}::int))
       AND checked_at < until + interval '1 second' * ${RECORDED_WITHIN_SECONDS}::int
       AND started_at IS NOT NULL
     ORDER BY checked_at DESC
     LIMIT 1)`;
}

/** How many checks of `monitor` from `region` have failed since the last that its state `machine` knows, of those `within`. */
export function countFailedIn(region: Prisma.Sql, within: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
    SELECT count(*)::int
      FROM raw.check_result
     WHERE check_result.monitor = monitor.number
       AND check_result.region = ${numberOf(region)}
       AND ${IS_FAILED}
       AND ${IS_TIMELY}
       AND checked_at > ${startedAtIn(region)}
       AND ${within})`;
}

/** When a check of `monitor` as by `lastCheckIn` ended, as far as that is stored, in epoch milliseconds: the same as `endOf`. */
export function resultMs(last: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${toMs(Prisma.sql`${last}.checked_at`)}
    + coalesce(${last}.response_time, CASE WHEN ${last}.error_code = 'timeout' THEN 1000 * monitor.timeout ELSE 0 END)`;
}

/** The number of a region in stored results, as `regionNumber`; null for a text that is no region ID. */
export function numberOf(region: Prisma.Sql): Prisma.Sql {
  const cases = BUILT_IN_REGIONS.map(({ id, number }) => `WHEN '${id}' THEN ${number}`);
  return Prisma.sql`(
    CASE ${region} ${Prisma.raw(cases.join(' '))} ELSE substring(${region} FROM '^loc_([0-9]{3,5})$')::int END)`;
}

/** When the last check of `region` that the state `machine` knows began; null for anything but a plausible number of milliseconds. */
function startedAtIn(region: Prisma.Sql): Prisma.Sql {
  const ms = numberIn(region, 'startedAt');
  return Prisma.sql`
    (SELECT CASE WHEN ms BETWEEN 0 AND 1e13 THEN to_timestamp(ms / 1000)::timestamptz(3) END
       FROM (SELECT ${ms} AS ms) AS stored)`;
}

/** A number that the state in a column `machine` keeps of `region`, such as a time in epoch milliseconds; null for anything but a number. */
export function numberIn(region: Prisma.Sql, ...path: string[]): Prisma.Sql {
  return jsonNumber(Prisma.sql`machine #> ARRAY['regions', ${region}, ${Prisma.join(path)}]`);
}

/** Null for anything but a number: one damaged row must not fail a whole list. */
export function jsonNumber(value: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`CASE jsonb_typeof(${value}) WHEN 'number' THEN (${value})::float8 END`;
}

/** The latest of the last checks of a monitor; null without any. */
export function latestOf(checks: readonly LastCheck[]): LastCheck | null {
  return checks.reduce<LastCheck | null>(
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
