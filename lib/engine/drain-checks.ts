import type { Services } from '@/lib/context/services';
import type { Logger } from '@/lib/core/logger';
import type { Wake } from '@/lib/core/wake';
import type { ProbeEnvironment } from '@/lib/probes/environment';
import { probe } from '@/lib/probes/probe';
import { targetHost } from '@/lib/schemas/targets';
import { type ClaimedCheck, claimDueChecks, nextDueAt, type Share } from './claim-checks';
import { drainUntil } from './drain-until';
import type { OutageWatch } from './outage-watch';
import { releaseClaims } from './release-claims';
import type { ResultRecorder } from './result-recorder';
import type { Slots } from './slots';

/** What a process needs to check: places, a recorder, and the bell that new work rings. */
export type CheckEngine = {
  workerId: string;
  services: Services;
  slots: Slots;
  recorder: ResultRecorder;
  probeEnvironment: ProbeEnvironment;
  outageWatch: OutageWatch;
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
  const { services, slots, wake, workerId } = engine;
  return drainUntil(
    {
      clock: services.clock,
      wake,
      minSleepMs: MIN_SLEEP_MS,
      startDue: async () => {
        const limit = Math.min(slots.free(), MAX_CLAIM);
        const claimed = limit > 0 ? await claimDueChecks(services, share, { limit, workerId }) : [];
        for (const check of claimed) slots.run(() => carryOut(engine, check, signal));
        return limit > 0 && claimed.length === limit;
      },
      nextDueAt: async () => (slots.free() > 0 ? nextDueAt(services, share) : null),
    },
    { until, signal },
  );
}

async function carryOut(engine: CheckEngine, check: ClaimedCheck, signal: AbortSignal): Promise<void> {
  const { services, recorder, probeEnvironment, outageWatch, log } = engine;
  const startedAt = services.clock.now();
  const result = await probe(check.target, { ...probeEnvironment, signal });
  if (signal.aborted && result.outcome === 'unknown') {
    await releaseClaims(services, [check.claim]).catch((error: unknown) =>
      log.warn({ error, monitor: check.monitorId }, 'a claim could not be given back; its lease will end'),
    );
    return;
  }
  const host = targetHost(check.target) ?? 'the configured resolver';
  recorder.add({ check, startedAt, result: await outageWatch.judge(host, result) });
}
