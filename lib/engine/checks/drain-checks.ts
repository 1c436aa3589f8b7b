import type { ProbeResult } from '@/lib/checks/check';
import { probe } from '@/lib/checks/probe';
import type { ProbeEnvironment } from '@/lib/checks/probe-environment';
import { createUnknown } from '@/lib/checks/probe-result';
import { readTarget } from '@/lib/checks/types';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Wake } from '@/lib/core/wake';
import type { Services } from '@/lib/domain/context/services';
import type { BatchRecorder } from '@/lib/engine/runtime/batch-recorder';
import { drainUntil } from '@/lib/engine/runtime/drain-until';
import { releaseClaims } from '@/lib/engine/runtime/release-claims';
import type { Slots } from '@/lib/engine/runtime/slots';
import { type ClaimedCheck, nextDueAt, type Share } from './claim-checks';
import type { OutageWatch } from './outage-watch';
import { createShareClaims, type ShareClaims } from './share-claims';
import type { FinishedCheck } from './store-results';

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
