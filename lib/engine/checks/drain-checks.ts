import { setImmediate } from 'node:timers/promises';
import { probe } from '@/lib/checks/probe';
import type { ProbeEnvironment } from '@/lib/checks/probe-environment';
import { createUnknown } from '@/lib/checks/probe-result';
import type { ProbeResult } from '@/lib/checks/result';
import { readTarget } from '@/lib/checks/types';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Wake } from '@/lib/core/time/wake';
import type { Services } from '@/lib/domain/context/services';
import type { BatchRecorder } from '@/lib/engine/runtime/batch-recorder';
import { drainUntil } from '@/lib/engine/runtime/drain-until';
import { createLostClaims } from '@/lib/engine/runtime/lost-claims';
import { releaseBatches, releaseClaims } from '@/lib/engine/runtime/release-claims';
import type { Slots } from '@/lib/engine/runtime/slots';
import { Prisma } from '@/lib/platform/db/generated/client';
import {
  type ClaimedCheck,
  claimDueChecks,
  createBatch,
  LEASE_MARGIN,
  nextDueAt,
  type Share,
  slotsOf,
} from './claim-checks';
import type { OutageWatch } from './outage-watch';
import type { FinishedCheck } from './recording/store-results';

/** Overdue checks run at half the usual pace, in addition to those falling due. */
const PACE = 0.5;
const MIN_PACE = 1;

/** Claims the checks of one share, resilient to failures and gaps. */
type ShareClaims = ReturnType<typeof createShareClaims>;

/** The schedule is polled about once a second; a longer pause is a gap. */
const GAP_MS = 1500;
/** A poll that takes this long hit a stalled process or database. */
const STALL_MS = 3000;
/** A database that always takes this long is slow: spreading after each poll would only slow it further. */
const MIN_STALL_GAP_MS = 30_000;
/** Leases last this much longer than a check: after a claim that took longer, another worker may run the same checks. */
const MAX_CLAIM_MS = LEASE_MARGIN * 1000;

/** What a process needs to run checks: slots, a recorder, and the wake bell for new work. */
export type CheckEngine = {
  workerId: string;
  services: Services;
  slots: Slots;
  recorder: BatchRecorder<FinishedCheck>;
  probeEnvironment: ProbeEnvironment;
  outageWatch: OutageWatch;
  /** Keyed by share; filled by drains, initially empty. */
  shareClaims: Map<string, ShareClaims>;
  wake: Wake;
  log: Logger;
};

const MAX_CLAIM = 250;
/** Acceptable lateness: batched claims cost far less than single ones. */
const MIN_SLEEP_MS = 100;
/** Whatever becomes due is seen by the polls; this is for claims whose answer was lost. */
const MAX_QUIET_MS = 5000;

/** Claims and starts the due checks of a share until `until`. Running checks continue in their slots. */
export function drainDueChecks(
  engine: CheckEngine,
  share: Share,
  { until, signal }: { until: Date; signal: AbortSignal },
): Promise<void> {
  const { services, slots, log } = engine;
  const claims = claimsOf(engine, share);
  return drainUntil(
    engine,
    {
      name: `checks of ${share.region}`,
      minSleepMs: MIN_SLEEP_MS,
      maxQuietMs: MAX_QUIET_MS,
      startDue: async () => {
        // A stored batch frees hundreds of slots, one after the other, and the first of them wakes this drain.
        await setImmediate();
        const limit = Math.max(0, Math.min(slots.free(), MAX_CLAIM));
        const claimed = await claims.claim(limit);
        for (const check of claimed) {
          slots.run(() =>
            runCheck(engine, check, signal).catch((error: unknown) => {
              const fields = { error: describeError(error), monitor: check.monitorId };
              log.error(fields, 'a check failed to run; its lease will expire');
            }),
          );
        }
        return limit > 0 && claimed.length === limit;
      },
      nextDueAt: async () => {
        const begun = services.clock.now();
        // A slot that becomes free wakes the drain.
        const dueAt = slots.free() > 0 ? await nextDueAt(services, share) : null;
        claims.notePoll(begun);
        return dueAt;
      },
    },
    { until, signal },
  );
}

/** Drains of one share follow each other and overlap, so claims outlive them. */
function claimsOf(engine: CheckEngine, share: Share): ShareClaims {
  const key = `${share.region} ${share.shard}/${share.shards}`;
  const known = engine.shareClaims.get(key);
  if (known) return known;
  const claims = createShareClaims(engine, share);
  engine.shareClaims.set(key, claims);
  return claims;
}

async function runCheck(engine: CheckEngine, check: ClaimedCheck, signal: AbortSignal): Promise<void> {
  const { services, recorder, outageWatch, log } = engine;
  const { races } = services;
  if (races) await races.reach('check claimed');
  const startedAt = services.clock.now();
  const host = readTarget(check.target)?.host ?? 'the configured resolver';
  const seen = await probeTarget(engine, check, signal);
  const result = await outageWatch.judge(host, seen, startedAt);
  if (signal.aborted && result.outcome === 'unknown') {
    await releaseClaims(services, [check.claim]).catch((error: unknown) =>
      log.warn({ error, monitor: check.monitorId }, 'could not release a claim; its lease will expire'),
    );
    return;
  }
  if (races) await races.reach('check finished');
  // Holds its slot: results must not pile up faster than the database stores them.
  await recorder.add({ check, startedAt, result });
}

/** Unknown if the request cannot be decrypted: that is not the target's fault. */
async function probeTarget(
  { probeEnvironment, log }: CheckEngine,
  { monitorId: monitor, target, targetError }: ClaimedCheck,
  signal: AbortSignal,
): Promise<ProbeResult> {
  if (targetError === undefined) return probe(target, { ...probeEnvironment, signal });
  log.error({ monitor, error: targetError }, 'could not decrypt the headers or body of a monitor');
  return createUnknown(
    'unavailable',
    'the stored headers or body cannot be decrypted; enter them again and save the monitor',
  );
}

/** Claims of `share` by the worker `workerId`. Treats its first poll as the end of a gap. */
export function createShareClaims(
  { services, workerId, log }: { services: Services; workerId: string; log: Logger },
  share: Share,
) {
  const { clock } = services;
  const lost = createLostClaims((batches: string[]) =>
    releaseBatches(services, { region: share.region, workerId, batches }),
  );
  let polledAt = Number.NEGATIVE_INFINITY;
  let isStalled = false;
  let stalledAt = Number.NEGATIVE_INFINITY;
  const skips = createSkipLog(log, share);

  /** Prepares the schedule for claiming: releases lost claims and spreads overdue checks over time. */
  const recover = async (gapMs: number) => {
    await lost.release();
    const spread = await spreadOverdue(services, share);
    isStalled = false;
    if (spread > 0) log.info({ ...share, gapMs, spread }, 'spread overdue checks over time');
  };

  const claimBatch = (limit: number): Promise<ClaimedCheck[]> => {
    const batch = createBatch();
    return lost.track([batch], () => claimDueChecks(services, share, { limit, workerId, batch }));
  };

  return {
    /** Claims at most `limit` due checks. Throws while the database is unavailable; nothing is lost. */
    claim: async (limit: number): Promise<ClaimedCheck[]> => {
      const startedAt = clock.now().getTime();
      const gapMs = Math.abs(startedAt - polledAt);
      if (gapMs > GAP_MS || lost.hasAny() || isStalled) await recover(gapMs);
      const claimed = limit > 0 ? await claimBatch(limit) : [];
      polledAt = clock.now().getTime();
      if (polledAt - startedAt > MAX_CLAIM_MS) {
        isStalled = true;
        await releaseClaims(
          services,
          claimed.map(({ claim }) => claim),
        );
        return [];
      }
      skips.note(claimed, polledAt);
      if (polledAt - startedAt > STALL_MS && polledAt - stalledAt > MIN_STALL_GAP_MS) {
        isStalled = true;
        stalledAt = polledAt;
      }
      return claimed;
    },
    /** The schedule was also polled at `begun`, without claiming: that is no gap. */
    notePoll: (begun: Date): void => {
      polledAt = begun.getTime();
    },
  };
}

const SKIP_LOG_MS = 60_000;

/** Counts the slots that passed while their monitors waited to be claimed, and says so once a minute. */
function createSkipLog(log: Logger, share: Share) {
  let skipped = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return {
    note: (claimed: readonly ClaimedCheck[], now: number): void => {
      for (const { dueAt, config } of claimed)
        skipped += Math.max(0, Math.floor((now - dueAt.getTime()) / config.intervalMs));
      if (skipped === 0 || now - loggedAt < SKIP_LOG_MS) return;
      log.warn(
        { ...share, skipped },
        'checks were skipped: more are due than this worker can run; add a worker or raise CHECK_CONCURRENCY',
      );
      skipped = 0;
      loggedAt = now;
    },
  };
}

/**
 * Reschedules the overdue checks of a share from now on; after a gap they would otherwise all run in one
 * burst. The longest overdue runs first and immediately, the others follow at half the pace of the share, at
 * the latest in their monitor's next grid slot. So none waits longer than one interval, and no second has
 * many more checks than usual. Processes take turns: checks spread by one are not overdue for the next.
 * Returns how many were rescheduled.
 */
async function spreadOverdue({ db, clock }: Services, share: Share): Promise<number> {
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
