import type { Services } from '@/lib/domain/context/services';
import type { ScheduledMonitor } from '@/lib/engine/checks/shards/scheduled-monitor';
import { awaitRollups, holdRollups, recountHours } from '@/lib/engine/upkeep/roll-up';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { noteLive } from '@/lib/platform/live/note-live';
import { RECORDED_WITHIN_MS, shardOf, slotOf } from '@/lib/state/schedule-grid';
import { type FinishedCheck, RESULT_COLUMNS, regionOfCheck, resultRows, toRow } from './store-results';

/** A monitor in one region, as far as late results need it. */
export type LateMonitor = Pick<
  ScheduledMonitor,
  'id' | 'number' | 'organizationId' | 'region' | 'slot' | 'phase' | 'configVersion'
> & { intervalMs: number };

/** A result that nobody recorded in time. */
export type LateCheck = Pick<FinishedCheck, 'startedAt' | 'result'> & { check: { monitor: LateMonitor } };

/** The monitors of these IDs that are checked in a region. */
export function findLateMonitors(
  db: Pick<Transaction, '$queryRaw'>,
  region: string,
  ids: readonly string[],
): Promise<LateMonitor[]> {
  return db.$queryRaw<LateMonitor[]>`
    SELECT monitor.id, number, organization_id AS "organizationId", region, slot::int AS slot, phase::int AS phase,
           config_version AS "configVersion", interval * 1000 AS "intervalMs"
      FROM probe_schedule JOIN monitor ON monitor.id = monitor_id
     WHERE monitor_id = ANY(${[...ids]}) AND region = ${region}`;
}

/**
 * Adds results of the past to the history and the rollups, at most one per monitor, region and slot: what is stored of a slot stays.
 * They neither change a status nor count as the last check. Returns how many were added; null if hours are
 * being rolled up, and nothing was. Too early for those that have to wait (`waitsUntil`).
 */
export async function storeLate(
  { db }: Pick<Services, 'db'>,
  late: readonly LateCheck[],
): Promise<number | null> {
  if (late.length === 0) return 0;
  return db.$transaction(async (tx) => {
    if (!(await holdRollups(tx))) return null;
    await lockShards(tx, late);
    // After the wait for the locks: one statement would not see what was committed meanwhile.
    const added = await tx.$queryRaw<{ monitor: number; region: number; at: Date }[]>(lateQuery(late));
    if (added.length === 0) return 0;
    await recountHours(tx, added);
    const numbers = new Set(added.map(({ monitor }) => monitor));
    const organizationIds = late.flatMap(({ check: { monitor } }) =>
      numbers.has(monitor.number) ? [monitor.organizationId] : [],
    );
    await noteLive(tx, [{ kind: 'results', organizationIds }]);
    return added.length;
  });
}

/** Nobody else records results of these shards until the transaction ends: neither owners nor other late ones. */
async function lockShards(tx: Transaction, late: readonly LateCheck[]): Promise<void> {
  const shards = late.map(({ check: { monitor } }) => shardOf(monitor.slot));
  await tx.$executeRaw`
    SELECT 1 FROM raw.shard_lease
     WHERE region = ANY(${[...new Set(late.map(({ check }) => check.monitor.region))]})
       AND shard = ANY(${[...new Set(shards)]}::int[])
     ORDER BY region, shard FOR NO KEY UPDATE`;
}

type LateRow = ReturnType<typeof toRow> & { slot_from: Date; slot_to: Date };

/** Stores the first result of each slot that has none; all of one region. */
export function lateQuery(late: readonly LateCheck[]): Prisma.Sql {
  const slots = new Map<string, LateRow>();
  for (const each of late) {
    const { monitor } = each.check;
    const { at, from, to } = slotOf(each.startedAt.getTime(), monitor);
    const key = `${monitor.number} ${at}`;
    const row = { ...toRow(each), slot_from: new Date(from), slot_to: new Date(to) };
    if (!slots.has(key)) slots.set(key, row);
  }
  const rows = [...slots.values()];
  return Prisma.sql`
    INSERT INTO raw.check_result (${RESULT_COLUMNS}, late)
    SELECT ${RESULT_COLUMNS}, true FROM ${resultRows(rows, { slot_from: 'timestamptz', slot_to: 'timestamptz' })}
     WHERE NOT EXISTS (
       SELECT FROM raw.check_result AS known
        WHERE known.monitor = given.monitor AND known.region = given.region
          AND known.checked_at >= slot_from AND known.checked_at < slot_to
        -- One after the other: no join, which could read whole partitions.
       OFFSET 0)
    RETURNING monitor, region::int AS region, checked_at AS at`;
}

/**
 * Has results that are being recorded in time after all, as after a long outage of the database, replace late ones of their slots. To be
 * called in their transaction, which holds their shards. Almost never finds any to look for.
 */
export async function displaceLate(
  tx: Transaction,
  recorded: readonly Pick<FinishedCheck, 'check' | 'startedAt'>[],
  now: Date,
): Promise<void> {
  const slots = recorded.flatMap(({ check: { monitor }, startedAt }) => {
    const grid = { intervalMs: monitor.config.intervalMs, phase: monitor.phase };
    const slot = slotOf(startedAt.getTime(), grid);
    // No late result is stored for a slot before that.
    return now.getTime() < slot.at + RECORDED_WITHIN_MS ? [] : [{ monitor, ...slot }];
  });
  if (slots.length === 0) return;
  const displaced = await tx.$queryRaw<{ monitor: number; region: number; at: Date }[]>`
    DELETE FROM raw.check_result AS known
     USING unnest(${slots.map(({ monitor }) => monitor.number)}::int[],
                  ${slots.map(({ monitor }) => regionOfCheck({ monitor }))}::smallint[],
                  ${slots.map(({ from }) => new Date(from))}::timestamptz[],
                  ${slots.map(({ to }) => new Date(to))}::timestamptz[])
           AS given (monitor, region, slot_from, slot_to)
     WHERE known.monitor = given.monitor AND known.region = given.region
       AND known.checked_at >= slot_from AND known.checked_at < slot_to AND late
    RETURNING known.monitor, known.region::int AS region, known.checked_at AS at`;
  if (displaced.length === 0) return;
  await awaitRollups(tx);
  await recountHours(tx, displaced);
}
