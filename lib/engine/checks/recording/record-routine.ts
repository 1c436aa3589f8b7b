import type { Services } from '@/lib/domain/context/services';
import { IS_FAILED } from '@/lib/domain/monitors/last-checks';
import { keepEvidence } from '@/lib/engine/checks/evidence/keep-evidence';
import { isUnseen } from '@/lib/engine/checks/shards/leases';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { formatHint } from '@/lib/platform/live/note-live';
import { isRoutine } from '@/lib/state/routine';
import { holdLeases, leaseKey } from './fence';
import { noteResult, toInput } from './note-result';
import { displaceLate } from './store-late';
import { type FinishedCheck, RESULT_COLUMNS, resultRows, toRow } from './store-results';

/** A failure that is routine is never the first. */
const NONE: ReadonlySet<FinishedCheck> = new Set();

/** A batch of results. When it is written again, what was found to be routine stays so, or it could be stored both ways. */
export type ResultBatch = {
  id: string;
  routine: readonly FinishedCheck[] | null;
  /** Whether another process may have recorded it, so that nothing is known of how. */
  isRepeated?: boolean;
  /** Whether this process keeps the schedule of the monitors, so that it learns here whether their next results can be routine. */
  isOwner?: boolean;
  /** Collects the routine results that are stored, even if all others of the batch are rejected. */
  stored?: WeakSet<FinishedCheck>;
};

/**
 * Records routine results, as nearly all are: those that cannot change the status of their monitor. They are stored, and nothing is
 * updated but the leases of their shards; the next decision about a monitor reads them first (`readLastChecks`). Results of monitors that
 * were changed or became contested meanwhile, whose shard was taken over, or that are not routine, are left: returns those, together
 * with the others of their monitors. A batch that is written again is stored once.
 */
export async function recordRoutine(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  finished: readonly FinishedCheck[],
  batch: ResultBatch,
): Promise<{ recorded: number; left: FinishedCheck[] }> {
  const now = clock.now();
  batch.routine ??= listRoutine(finished, now);
  const { id, routine } = batch;
  if (routine.length === 0) return { recorded: 0, left: [...finished] };
  const places = await db.$transaction(async (tx) => {
    const { held, isRepeated } = await holdLeases(tx, routine, { column: 'last_routine', batch: id });
    if (isRepeated) return findStored(tx, routine);
    // After the wait for the locks: one statement would not see what was committed meanwhile.
    const stored = await tx.$queryRaw<{ place: number }[]>(routineQuery(routine, held));
    const recorded = stored.flatMap(({ place }) => routine[place] ?? []);
    await displaceLate(tx, recorded, now);
    await keepEvidence(tx, recorded, { firstFailures: NONE, now });
    return stored;
  });
  const recorded = new Set(places.map(({ place }) => routine[place]));
  for (const each of recorded) {
    if (!each) continue;
    noteResult(each, now);
    batch.stored?.add(each);
  }
  return { recorded: recorded.size, left: finished.filter((each) => !recorded.has(each)) };
}

function listRoutine(finished: readonly FinishedCheck[], now: Date): FinishedCheck[] {
  const decided = new Set(
    finished.filter((each) => !canBeRoutine(each, now)).map(({ check }) => check.monitor.id),
  );
  return finished.filter(({ check }) => !decided.has(check.monitor.id));
}

function canBeRoutine({ check: { monitor }, startedAt, result }: FinishedCheck, now: Date): boolean {
  if (monitor.isContested || monitor.isOutdated) return false;
  const { lastResultAt: resultAt, certificateExpiresAt, failure, decidedAt } = monitor;
  const last = { resultAt, certificateExpiresAt, failure, decidedAt };
  const input = toInput({ check: { monitor }, startedAt, result });
  return isRoutine(monitor.config, last, input, now.getTime());
}

/**
 * Stores results under the leases that are held, and returns their places in `routine`. Reads no row per result: the changes that the
 * worker has not seen are few.
 */
export function routineQuery(routine: readonly FinishedCheck[], held: ReadonlySet<string>): Prisma.Sql {
  const rows = routine.flatMap((each, place) => {
    const { id, region, isOutdated } = each.check.monitor;
    // What this worker has read since it began the batch is in no snapshot below.
    return held.has(leaseKey(each)) && !isOutdated ? [{ ...toRow(each), place, id, region_id: region }] : [];
  });
  const feeds = new Map(routine.map(({ check: { monitor } }) => [monitor.region, monitor.feed.snapshot]));
  const hints = formatHint({
    kind: 'results',
    organizationIds: routine.map(({ check }) => check.monitor.organizationId),
  });
  return Prisma.sql`
    WITH changed AS MATERIALIZED (
      SELECT DISTINCT change.region, monitor_id
        FROM unnest(${[...feeds.keys()]}::text[], ${[...feeds.values()]}::text[]) AS feed (region, snapshot)
        JOIN raw.schedule_change AS change
          ON change.region = feed.region AND ${isUnseen(Prisma.sql`feed.snapshot::pg_snapshot`)}
    ), stored AS MATERIALIZED (
      SELECT * FROM ${resultRows(rows, { place: 'int', id: 'text', region_id: 'text' })}
       WHERE NOT EXISTS (SELECT FROM changed WHERE changed.region = region_id AND monitor_id = id)
         -- Workers of versions before 0.3 would take monitors for silent whose failures nobody decides upon.
         AND (NOT ${IS_FAILED} OR NOT EXISTS (SELECT FROM worker WHERE jobs IS NULL))
    ), written AS (
      INSERT INTO raw.check_result (${RESULT_COLUMNS}) SELECT ${RESULT_COLUMNS} FROM stored
    ), notified AS (
      SELECT count(pg_notify('pharos_live', hint)) AS hints FROM unnest(${hints}::text[]) AS hint
    )
    SELECT place FROM stored, notified`;
}

/** The places of results that are stored, for a batch that got no response. */
export function findStored(tx: Transaction, routine: readonly FinishedCheck[]): Promise<{ place: number }[]> {
  const rows = routine.map((each, place) => ({ ...toRow(each), place }));
  return tx.$queryRaw<{ place: number }[]>`
    SELECT place FROM ${resultRows(rows, { place: 'int' })}
     WHERE EXISTS (
       SELECT FROM raw.check_result AS known
        WHERE known.monitor = given.monitor AND known.checked_at = given.checked_at AND known.region = given.region)`;
}
