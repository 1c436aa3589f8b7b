import { createUnknown } from '@/lib/checks/probe-result';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { type BatchRecorder, createBatchRecorder } from '@/lib/engine/runtime/batch-recorder';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import type { Transaction } from '@/lib/platform/db/client';
import type { CheckInput } from '@/lib/state/types';
import { type Advance, type AdvanceServices, advanceMonitors } from './advance-monitors';
import { type LockedMonitor, lockMonitors } from './monitor-states';
import { type FinishedCheck, storeResults } from './store-results';

/** At 1,000 checks a second, a minute and a half of results. */
const MAX_PENDING = { count: 100_000, bytes: 64 * 1024 * 1024 };
/** About what a result and its check take in memory, beside their texts. */
const RESULT_BYTES = 500;

/**
 * Records results in batches: what a transaction costs is mostly its round trips and its commit, whether it holds one
 * result or hundreds.
 */
export function createResultRecorder(
  services: Services & AdvanceServices,
  log: Logger,
): BatchRecorder<FinishedCheck> {
  const { db, clock } = services;
  let preparedDay: string | null = null;
  /** Partitions are made days ahead; a machine that was suspended for longer wakes on a day that has none. */
  const prepareDay = async (now: Date) => {
    const day = now.toISOString().slice(0, 10);
    if (day === preparedDay) return;
    await ensureResultPartitions(db, now);
    preparedDay = day;
  };
  return createBatchRecorder({
    kind: 'results',
    write: async (finished) => {
      await prepareDay(clock.now());
      return recordResults(services, finished);
    },
    replaceRefused: withoutContent,
    subjectOf: ({ check }) => ({ monitor: check.monitorId, region: check.region }),
    sizeOf: ({ result }) => RESULT_BYTES + 2 * (result.error?.message.length ?? 0),
    maxBatch: 500,
    gatherMs: 200,
    maxPending: MAX_PENDING,
    log,
  });
}

/** Unknown, for what could not be stored must neither alert nor pass for a success; its claim ends all the same. */
function withoutContent({ check, startedAt }: FinishedCheck): FinishedCheck {
  return { check, startedAt, result: createUnknown('unavailable', 'the result could not be stored') };
}

/**
 * Records finished checks in one transaction: raw results, states, ledger, incidents, events and deliveries, all or
 * nothing. A result counts only while its claim still stands, so that none is applied twice, and none after the monitor
 * was changed, paused or deleted. Answers how many counted.
 */
export async function recordResults(
  services: Services & AdvanceServices,
  finished: FinishedCheck[],
): Promise<number> {
  const { db, clock } = services;
  if (finished.length === 0) return 0;
  return db.$transaction(async (tx) => {
    const now = clock.now();
    const monitors = await lockMonitors(tx, [...new Set(finished.map(({ check }) => check.monitorId))], now);
    const settled = await settleClaims(tx, finished, now);
    const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));
    const counted = finished.filter(
      ({ check }) =>
        settled.has(check.claim) && byId.get(check.monitorId)?.config.configVersion === check.configVersion,
    );
    await storeResults(tx, counted);
    await advanceMonitors(tx, services, listAdvances(monitors, counted), now);
    return counted.length;
  });
}

/** Ends the claims that still stand. A check that outran its next slot skips it: the slot after it is next. */
async function settleClaims(tx: Transaction, finished: FinishedCheck[], now: Date): Promise<Set<string>> {
  const ids = finished.map(({ check }) => check.monitorId);
  const claims = finished.map(({ check }) => check.claim);
  const settled = await tx.$queryRaw<{ claim: string }[]>`
    UPDATE probe_schedule AS schedule
       SET claim = NULL, claimed_by = NULL, lease_until = NULL,
           next_check_at = CASE WHEN schedule.next_check_at > ${now}::timestamptz THEN schedule.next_check_at
             ELSE grid_slot_after(${now}::timestamptz, (SELECT interval FROM monitor WHERE id = schedule.monitor_id),
                                  schedule.phase) END
      FROM unnest(${ids}::text[], ${claims}::uuid[]) AS done (id, claim)
     WHERE schedule.monitor_id = done.id AND schedule.claim = done.claim
    RETURNING done.claim::text AS claim`;
  return new Set(settled.map((row) => row.claim));
}

function listAdvances(monitors: LockedMonitor[], counted: FinishedCheck[]): Advance[] {
  const byMonitor = new Map<string, FinishedCheck[]>();
  for (const one of counted) {
    const own = byMonitor.get(one.check.monitorId);
    if (own) own.push(one);
    else byMonitor.set(one.check.monitorId, [one]);
  }
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
  const inputs = own.map(({ check, startedAt, result }): CheckInput => {
    return { kind: 'result', region: check.region, startedAt: startedAt.getTime(), ...result };
  });
  return { monitor, inputs, observation };
}
