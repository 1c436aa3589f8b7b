import { createUnknown } from '@/lib/checks/probe-result';
import { groupBy } from '@/lib/core/group-by';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { type Advance, type AdvanceServices, advanceMonitors } from '@/lib/engine/checks/advance-monitors';
import { createBatchRecorder } from '@/lib/engine/runtime/batch-recorder';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { resultTime } from '@/lib/state/region';
import { isNewResult } from '@/lib/state/transition';
import type { ResultInput } from '@/lib/state/types';
import { type LockedMonitor, lockMonitors } from './monitor-states';
import { endClaim, recordRoutine, toInput } from './record-routine';
import { type FinishedCheck, storeResults } from './store-results';

/** A minute and a half of results at 1,000 checks per second. */
const MAX_PENDING = { count: 100_000, bytes: 64 * 1024 * 1024 };
/** Approximate memory of a result and its check, without texts. */
const RESULT_BYTES = 500;
const NOT_STORED = createUnknown('unavailable', 'the result could not be stored');

/** Records results in batches: a transaction costs about the same for one result and for many. */
export function createResultRecorder(services: Services & AdvanceServices, log: Logger) {
  const { db, clock } = services;
  let partitionedDay: string | null = null;
  /** Partitions are created days ahead; a machine suspended for longer wakes up without one. */
  const ensurePartition = async (now: Date) => {
    const day = now.toISOString().slice(0, 10);
    if (day === partitionedDay) return;
    await ensureResultPartitions(db, now);
    partitionedDay = day;
  };
  return createBatchRecorder<FinishedCheck>({
    kind: 'results',
    write: async (finished) => {
      await ensurePartition(clock.now());
      return recordResults(services, finished);
    },
    // A result that could not be stored must neither alert nor count as a success; its claim still ends.
    replaceRefused: ({ check, startedAt }) => ({ check, startedAt, result: NOT_STORED }),
    subjectOf: ({ check }) => ({ monitor: check.monitorId, region: check.region }),
    sizeOf: ({ result }) => RESULT_BYTES + 2 * (result.error?.message.length ?? 0),
    maxBatch: 500,
    gatherMs: 200,
    maxPending: MAX_PENDING,
    log,
  });
}

/**
 * Records finished checks: routine ones by themselves, all others in one transaction with what follows from them. A result only
 * counts while its claim is valid, so none is applied twice, and none after the monitor was changed, paused or deleted. Returns
 * how many counted.
 */
export async function recordResults(
  services: Services & AdvanceServices,
  finished: readonly FinishedCheck[],
): Promise<number> {
  if (finished.length === 0) return 0;
  const { recorded, left } = await recordRoutine(services, finished);
  return left.length === 0 ? recorded : recorded + (await recordDecided(services, left));
}

/** Records raw results, states, ledger, incidents, events and deliveries in one transaction, all or nothing. */
async function recordDecided(
  services: Services & AdvanceServices,
  finished: readonly FinishedCheck[],
): Promise<number> {
  return services.db.$transaction(async (tx) => {
    const ids = [...new Set(finished.map(({ check }) => check.monitorId))];
    const { monitors, now } = await lockMonitors(tx, services, ids);
    const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));
    const ended = await endClaims(tx, finished, byId, now);
    const counted = finished.filter(
      ({ check }) =>
        ended.has(check.claim) && byId.get(check.monitorId)?.config.configVersion === check.configVersion,
    );
    await storeResults(tx, counted);
    await advanceMonitors(tx, services, listAdvances(monitors, counted), now);
    return counted.length;
  });
}

/**
 * Ends the claims that are still valid and returns them. Results that the state will count become the last ones of their regions.
 */
async function endClaims(
  tx: Transaction,
  finished: readonly FinishedCheck[],
  monitors: ReadonlyMap<string, LockedMonitor>,
  now: Date,
): Promise<Set<string>> {
  const rows = finished.map((each) => {
    const { check, startedAt, result } = each;
    const monitor = monitors.get(check.monitorId);
    const input = toInput(each);
    const last = monitor &&
      willCount(monitor, input, now) && {
        checkedAt: startedAt,
        resultAt: new Date(resultTime(monitor.config, input, now.getTime())),
        responseTime: result.responseTime,
        certificateExpiresAt: result.certificateExpiresAt,
      };
    return { id: check.monitorId, claim: check.claim, counts: Boolean(last), ...last };
  });
  const ended = await tx.$queryRaw<{ claim: string }[]>`
    UPDATE probe_schedule AS schedule
       SET ${endClaim(now, Prisma.sql`(SELECT interval FROM monitor WHERE id = schedule.monitor_id)`)},
           last_checked_at = CASE WHEN counts THEN "checkedAt" ELSE last_checked_at END,
           last_result_at = CASE WHEN counts THEN "resultAt" ELSE last_result_at END,
           last_response_time = CASE WHEN counts THEN "responseTime" ELSE last_response_time END,
           certificate_expires_at = CASE WHEN counts THEN "certificateExpiresAt" ELSE certificate_expires_at END
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS done (
           id text, claim uuid, counts boolean, "checkedAt" timestamptz, "resultAt" timestamptz, "responseTime" int,
           "certificateExpiresAt" timestamptz)
     WHERE schedule.monitor_id = done.id AND schedule.claim = done.claim
    RETURNING done.claim::text AS claim`;
  return new Set(ended.map((row) => row.claim));
}

/** A damaged state, on which the transition fails, is rebuilt with the result. */
function willCount({ config, state }: LockedMonitor, input: ResultInput, now: Date): boolean {
  try {
    return isNewResult(config, state, input, now.getTime());
  } catch {
    return true;
  }
}

function listAdvances(monitors: LockedMonitor[], counted: FinishedCheck[]): Advance[] {
  const byMonitor = groupBy(counted, ({ check }) => check.monitorId);
  return monitors.flatMap((monitor) => {
    const own = byMonitor.get(monitor.id);
    return own ? [toAdvance(monitor, own)] : [];
  });
}

function toAdvance(monitor: LockedMonitor, finished: FinishedCheck[]): Advance {
  const own = finished.toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime());
  const latest = own.findLast(({ result }) => result.outcome !== 'unknown');
  const observation = latest
    ? { checkedAt: latest.startedAt, responseTime: latest.result.responseTime }
    : null;
  return { monitor, inputs: own.map(toInput), observation };
}
