import { randomUUID } from 'node:crypto';
import { createUnknown } from '@/lib/checks/probe-result';
import { groupBy } from '@/lib/core/groups';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { type Advance, type AdvanceServices, advanceMonitors } from '@/lib/engine/checks/advance-monitors';
import { keepEvidence } from '@/lib/engine/checks/evidence/keep-evidence';
import { currentOf, hasOneOwner, type ScheduledMonitor } from '@/lib/engine/checks/shards/scheduled-monitor';
import { createBatchRecorder, type RecordingObserver } from '@/lib/engine/runtime/batch-recorder';
import { ensureResultPartitions, nameResultPartition } from '@/lib/engine/upkeep/retention';
import type { ResultInput } from '@/lib/state/types';
import { holdLeases, leaseKey, shardsOf } from './fence';
import { type LockedMonitor, lockMonitors } from './monitor-states';
import { noteResult, toInput } from './note-result';
import { findStored, type ResultBatch, recordRoutine } from './record-routine';
import { displaceLate } from './store-late';
import { type FinishedCheck, storeResults } from './store-results';

/** A minute and a half of results at 1,000 checks per second. */
const MAX_PENDING = { count: 100_000, bytes: 64 * 1024 * 1024 };
/** Approximate memory of a result and its check, without texts. */
const RESULT_BYTES = 500;
const NOT_STORED = createUnknown('unavailable', 'the result could not be stored');

/**
 * Creates the partition of a day before its first result. Partitions are created days ahead, but a machine suspended for longer wakes up
 * without one.
 */
export function createPartitionKeeper(db: Services['db']): (now: Date) => Promise<void> {
  let partitionedDay: string | null = null;
  return async (now) => {
    const day = now.toISOString().slice(0, 10);
    if (day === partitionedDay) return;
    // What creates one waits for everybody who reads results.
    const [found] = await db.$queryRaw<[{ exists: boolean }]>`
      SELECT to_regclass(${`raw.${nameResultPartition(now)}`}) IS NOT NULL AS exists`;
    if (!found.exists) await ensureResultPartitions(db, now);
    partitionedDay = day;
  };
}

/** Records results in batches: a transaction costs about the same for one result and for many. */
export function createResultRecorder(
  services: Services & AdvanceServices,
  log: Logger,
  observer?: RecordingObserver<FinishedCheck>,
) {
  const { db, clock } = services;
  const stored = new WeakSet<FinishedCheck>();
  let batch = createBatch();
  const ensurePartition = createPartitionKeeper(db);
  return createBatchRecorder<FinishedCheck>({
    kind: 'results',
    write: async (finished, id) => {
      if (batch.id !== id) batch = { id, routine: null, stored, isOwner: true };
      await ensurePartition(clock.now());
      // A batch that was rejected comes again in parts.
      const missing = finished.filter((each) => !stored.has(each));
      return recordResults(services, missing, batch);
    },
    // A result that could not be stored must neither alert nor count as a success.
    replaceRefused: ({ check, startedAt }) => ({ check, startedAt, result: NOT_STORED }),
    subjectOf: ({ check: { monitor } }) => ({ monitor: monitor.id, region: monitor.region }),
    sizeOf: ({ result: { error }, evidence }) =>
      RESULT_BYTES +
      2 * ((error?.message.length ?? 0) + (error?.detail?.length ?? 0)) +
      (evidence?.content.length ?? 0),
    maxBatch: 500,
    gatherMs: 120,
    maxPending: MAX_PENDING,
    observer,
    log,
  });
}

/**
 * Records finished checks: routine ones by themselves, all others in one transaction with what follows from them. A result only
 * counts while its shard is owned as when the check began, so none counts after another worker took over, and none after the monitor
 * was changed, paused or deleted, or lost the region. With the `batch` of an earlier call whose response was lost, what it recorded is
 * not recorded again. With `isRepeated`, another process may have recorded it. Returns how many counted.
 */
export async function recordResults(
  services: Services & AdvanceServices,
  finished: readonly FinishedCheck[],
  batch: ResultBatch = createBatch(),
): Promise<number> {
  if (finished.length === 0) return 0;
  if (batch.isRepeated) return recordDecided(services, finished, batch);
  const { recorded, left } = await recordRoutine(services, finished, batch);
  return left.length === 0 ? recorded : recorded + (await recordDecided(services, left, batch));
}

function createBatch(): ResultBatch {
  return { id: randomUUID(), routine: null };
}

/** Records raw results, states, ledger, incidents, events and deliveries in one transaction, all or nothing. */
async function recordDecided(
  services: Services & AdvanceServices,
  finished: readonly FinishedCheck[],
  { id: batch, isRepeated = false, isOwner = false }: ResultBatch,
): Promise<number> {
  const owned = isOwner ? finished.map(({ check }) => check.monitor).filter(hasOneOwner) : [];
  // Until it is known what became of them.
  for (const monitor of owned) currentOf(monitor).isContested = true;
  const { counted, marks, now } = await services.db.$transaction(async (tx) => {
    const ids = [...new Set(finished.map(({ check }) => check.monitor.id))];
    const { monitors, now } = await lockMonitors(tx, services, ids, shardsOf(finished));
    const configs = new Map(monitors.map(({ id, config }) => [id, config]));
    // The first attempt may not have stored its routine results yet: from here on, it finds the batch written.
    if (isRepeated) await holdLeases(tx, finished, { column: 'last_routine', batch });
    const { held } = await holdLeases(tx, finished, { column: 'last_decided', batch });
    // After the wait for the locks: what was stored as routine is visible now.
    const stored = new Set((isRepeated ? await findStored(tx, finished) : []).map(({ place }) => place));
    const counted = finished.filter((each, place) => {
      const { id, configVersion, region } = each.check.monitor;
      const config = configs.get(id);
      return (
        !stored.has(place) &&
        held.has(leaseKey(each)) &&
        config?.configVersion === configVersion &&
        config.regions.includes(region)
      );
    });
    await storeResults(tx, counted);
    await displaceLate(tx, counted, now);
    const inputs = new Map(counted.map((each) => [toInput(each), each]));
    const advances = listAdvances(monitors, inputs, { isOwner });
    const { firstFailures: first, isContested } = await advanceMonitors(tx, services, advances, now);
    const known = advances.filter(({ ownerKnows }) => ownerKnows);
    const marks = new Map(known.map(({ monitor: { id } }) => [id, isContested.get(id) ?? true]));
    const firstFailures = new Set(first.flatMap((input) => inputs.get(input) ?? []));
    await keepEvidence(tx, counted, { firstFailures, now });
    return { counted, marks, now };
  });
  for (const each of counted) {
    const { monitor } = each.check;
    noteResult(each, now);
    monitor.decidedAt = now.getTime();
    const mark = marks.get(monitor.id);
    if (mark !== undefined) noteMark(monitor, mark);
  }
  return counted.length;
}

/** What was read meanwhile may be older than the decision, or newer. */
function noteMark(monitor: ScheduledMonitor, isContested: boolean): void {
  if (monitor.replacedBy === null) monitor.isContested = isContested;
  else currentOf(monitor).isContested = true;
}

type Inputs = ReadonlyMap<ResultInput, FinishedCheck>;

function listAdvances(
  monitors: LockedMonitor[],
  inputs: Inputs,
  { isOwner }: { isOwner: boolean },
): Advance[] {
  const byMonitor = groupBy([...inputs], ([, { check }]) => check.monitor.id);
  return monitors.flatMap((monitor) => {
    const own = byMonitor.get(monitor.id);
    return own ? [{ ...toAdvance(monitor, own), ownerKnows: isOwner && isKnownTo(monitor, own) }] : [];
  });
}

/** Whether what the owner has in memory of a monitor learns what is decided: it has not dropped it, nor could anybody else own a part of it. */
function isKnownTo(monitor: LockedMonitor, own: [ResultInput, FinishedCheck][]): boolean {
  const isLinked = ({ check }: FinishedCheck) =>
    hasOneOwner(check.monitor) && !currentOf(check.monitor).isOutdated;
  return hasOneOwner(monitor) && own.every(([, finished]) => isLinked(finished));
}

function toAdvance(monitor: LockedMonitor, given: [ResultInput, FinishedCheck][]): Advance {
  const own = given.toSorted(([a], [b]) => a.startedAt - b.startedAt);
  const [, latest] = own.findLast(([{ outcome }]) => outcome !== 'unknown') ?? [];
  const observation = latest
    ? { checkedAt: latest.startedAt, responseTime: latest.result.responseTime }
    : null;
  return { monitor, inputs: own.map(([input]) => input), observation };
}
