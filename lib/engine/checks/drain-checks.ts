import { probe } from '@/lib/checks/probe';
import type { ProbeEnvironment } from '@/lib/checks/probe-environment';
import { createUnknown } from '@/lib/checks/probe-result';
import type { ProbeResult } from '@/lib/checks/result';
import { readTarget } from '@/lib/checks/types';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Wake } from '@/lib/core/wake';
import type { Services } from '@/lib/domain/context/services';
import type { BatchRecorder } from '@/lib/engine/runtime/batch-recorder';
import { drainUntil } from '@/lib/engine/runtime/drain-until';
import { releaseBatches, releaseClaims } from '@/lib/engine/runtime/release-claims';
import type { Slots } from '@/lib/engine/runtime/slots';
import { Prisma } from '@/lib/platform/db/generated/client';
import {
  type ClaimedCheck,
  claimDueChecks,
  createBatch,
  nextDueAt,
  type Share,
  slotsOf,
} from './claim-checks';
import type { OutageWatch } from './outage-watch';
import type { FinishedCheck } from './store-results';

/** What is overdue is checked at half the usual pace, beside what falls due meanwhile. */
const PACE = 0.5;

/** Where few monitors are, so many checks a second: a burst of them is none. */
const MIN_PACE = 1;

/** How this process claims the checks of one share, through failures and gaps. */
type ShareClaims = {
  /** Claims at most `limit` due checks. Throws while the database is unavailable; nothing is lost by that. */
  claim(limit: number): Promise<ClaimedCheck[]>;
};

/** Looks at a schedule follow each other within about a second; after more than this without one, there was a gap. */
const GAP_MS = 1500;

/** A look that took so long has met a process or a database that stood still. */
const STOOD_STILL_MS = 3000;

/** A database that always takes so long is slow: to spread at each look would only make it slower. */
const STOOD_STILL_EVERY_MS = 30_000;

/** What a process needs to check: places, a recorder, and the bell that new work rings. */
export type CheckEngine = {
  workerId: string;
  services: Services;
  slots: Slots;
  recorder: BatchRecorder<FinishedCheck>;
  probeEnvironment: ProbeEnvironment;
  outageWatch: OutageWatch;
  /** By share, as drains ask for them; empty at first. */
  shareClaims: Map<string, ShareClaims>;
  wake: Wake;
  log: Logger;
};

const MAX_CLAIM = 250;
/** A check may be so late; claims of some company cost far less than claims one by one. */
const MIN_SLEEP_MS = 100;

/**
 * Claims and starts what is due in a share until `until`. Returns then at once: checks still running go on in their
 * slots, and the next drain claims beside them.
 */
export function drainDueChecks(
  engine: CheckEngine,
  share: Share,
  { until, signal }: { until: Date; signal: AbortSignal },
): Promise<void> {
  const { services, slots, wake, log } = engine;
  const claims = claimsOf(engine, share);
  return drainUntil(
    {
      name: `checks of ${share.region}`,
      clock: services.clock,
      wake,
      log,
      minSleepMs: MIN_SLEEP_MS,
      startDue: async () => {
        const limit = Math.max(0, Math.min(slots.free(), MAX_CLAIM));
        const claimed = await claims.claim(limit);
        for (const check of claimed) {
          slots.run(() =>
            carryOut(engine, check, signal).catch((error: unknown) => {
              const fields = { error: describeError(error), monitor: check.monitorId };
              log.error(fields, 'a check could not be carried out; its lease will end');
            }),
          );
        }
        return limit > 0 && claimed.length === limit;
      },
      nextDueAt: async () => (slots.free() > 0 ? nextDueAt(services, share) : null),
    },
    { until, signal },
  );
}

/** Drains of one share follow each other and overlap: what is known of its schedule outlives them. */
function claimsOf(engine: CheckEngine, share: Share): ShareClaims {
  const key = `${share.region} ${share.shard}/${share.shards}`;
  const known = engine.shareClaims.get(key);
  if (known) return known;
  const claims = createShareClaims(engine, share);
  engine.shareClaims.set(key, claims);
  return claims;
}

async function carryOut(engine: CheckEngine, check: ClaimedCheck, signal: AbortSignal): Promise<void> {
  const { services, recorder, outageWatch, log } = engine;
  const startedAt = services.clock.now();
  const host = readTarget(check.target)?.host ?? 'the configured resolver';
  const seen = await probeTarget(engine, check, signal);
  const result = await outageWatch.judge(host, seen, startedAt);
  if (signal.aborted && result.outcome === 'unknown') {
    await releaseClaims(services, [check.claim]).catch((error: unknown) =>
      log.warn({ error, monitor: check.monitorId }, 'a claim could not be given back; its lease will end'),
    );
    return;
  }
  void recorder.add({ check, startedAt, result });
}

/** Unknown where the request cannot be decrypted: that says nothing about the target. */
async function probeTarget(
  { probeEnvironment, log }: CheckEngine,
  { monitorId: monitor, target, targetError }: ClaimedCheck,
  signal: AbortSignal,
): Promise<ProbeResult> {
  if (targetError === undefined) return probe(target, { ...probeEnvironment, signal });
  log.error({ monitor, error: targetError }, 'the headers or the body of a monitor cannot be decrypted');
  return createUnknown(
    'unavailable',
    'the stored headers or body cannot be decrypted; save the monitor again',
  );
}

/** The claims of `share`, made as the worker `workerId`. Its first look is taken for the end of a gap. */
export function createShareClaims(
  { services, workerId, log }: { services: Services; workerId: string; log: Logger },
  share: Share,
): ShareClaims {
  const { clock } = services;
  const lost = new Set<string>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let stoodStill = false;
  let stoodStillAt = Number.NEGATIVE_INFINITY;

  /**
   * Makes the schedule fit to be claimed from: nothing is claimed by nobody, and nothing due at once that was due
   * long ago.
   */
  const recover = async (gapMs: number) => {
    const batches = [...lost];
    const region = share.region;
    if (batches.length > 0) await releaseBatches(services, { region, workerId, batches });
    for (const batch of batches) lost.delete(batch);
    const spread = await spreadOverdue(services, share);
    stoodStill = false;
    if (spread > 0) log.info({ ...share, gapMs, spread }, 'overdue checks were spread over time');
  };

  const claimBatch = async (limit: number): Promise<ClaimedCheck[]> => {
    const batch = createBatch();
    try {
      return await claimDueChecks(services, share, { limit, workerId, batch });
    } catch (error) {
      lost.add(batch);
      throw error;
    }
  };

  return {
    claim: async (limit) => {
      const startedAt = clock.now().getTime();
      const gapMs = Math.abs(startedAt - lookedAt);
      if (gapMs > GAP_MS || lost.size > 0 || stoodStill) await recover(gapMs);
      const claimed = limit > 0 ? await claimBatch(limit) : [];
      lookedAt = clock.now().getTime();
      if (lookedAt - startedAt > STOOD_STILL_MS && lookedAt - stoodStillAt > STOOD_STILL_EVERY_MS) {
        stoodStill = true;
        stoodStillAt = lookedAt;
      }
      return claimed;
    },
  };
}

/**
 * Gives overdue checks of a share new times from now on: after a gap, whatever it came from, they would all be done in one
 * burst. The longest overdue comes first and at once, the others follow at half the pace of all checks of the share, each at
 * its monitor's next time on the grid at the latest. So none waits longer than one interval, and no second has many more
 * checks than usual. Processes that call it at once take turns: what one has spread is not overdue for the next. Answers how
 * many there were.
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
