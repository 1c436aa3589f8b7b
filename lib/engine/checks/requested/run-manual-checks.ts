import { forMembers } from '@/lib/checks/for-members';
import type { ProbeResult } from '@/lib/checks/result';
import { type CheckRunner, probeTarget } from '@/lib/engine/checks/run-check';
import { hostOf } from '@/lib/engine/checks/shards/host-of';
import type { ScheduledMonitor } from '@/lib/engine/checks/shards/scheduled-monitor';
import { createSlots } from '@/lib/engine/runtime/slots';
import type { Findings } from '@/lib/schemas/monitor/result';

/** Of one worker at a time. Those on schedule have slots of their own. */
const MAX_AT_ONCE = 20;

/** A check that somebody requested, in one region. `id` is that of its monitor. */
export type ClaimedManualCheck = Pick<ScheduledMonitor, 'id' | 'region' | 'target' | 'targetError'> & {
  checkId: string;
};

/** What became of it. */
export type ManualResult = { checkedAt: Date; outcome: ProbeResult['outcome']; findings: Findings };

/** Where requested checks are. */
export type ManualCheckStore = {
  /** Takes at most `limit` checks that somebody still waits for, the oldest first. */
  claim(regions: readonly string[], limit: number): Promise<ClaimedManualCheck[]>;
  store(check: Pick<ClaimedManualCheck, 'checkId' | 'region'>, result: ManualResult): Promise<void>;
};

type Runner = Pick<CheckRunner, 'clock' | 'probeEnvironment' | 'outageWatch' | 'log'> & {
  requests: ManualCheckStore;
  signal: AbortSignal;
};

/** Runs the checks that people request, as `requestCheck` stored them, each on one worker only. */
export type ManualChecks = ReturnType<typeof createManualChecks>;

/** Results are stored, and nothing decides by them. What a worker leaves unfinished when it stops stays without a result. */
export function createManualChecks(runner: Runner) {
  const { requests, log, signal } = runner;
  let regions: readonly string[] = [];
  let isWoken = false;
  let isClaiming = false;
  const slots = createSlots(MAX_AT_ONCE, () => void wake(regions));

  const run = async (claimed: ClaimedManualCheck): Promise<void> => {
    try {
      await runManualCheck(runner, claimed);
    } catch (error) {
      if (!signal.aborted) log.error({ check: claimed.checkId, err: error }, 'a requested check failed');
    }
  };

  /** Starts what was requested in these regions. Never rejects. */
  const wake = async (served: readonly string[]): Promise<void> => {
    regions = served;
    isWoken = true;
    if (isClaiming) return;
    isClaiming = true;
    try {
      while (isWoken && slots.free() > 0 && !signal.aborted) {
        isWoken = false;
        const claimed = await requests.claim(regions, slots.free());
        for (const each of claimed) slots.run(() => run(each));
      }
    } catch (error) {
      log.error({ work: 'requested checks', err: error }, 'could not read requested checks');
    } finally {
      isClaiming = false;
    }
  };
  return { wake, idle: slots.idle };
}

async function runManualCheck(runner: Runner, check: ClaimedManualCheck): Promise<void> {
  const { requests, clock, outageWatch, signal } = runner;
  const checkedAt = clock.now();
  const repeat = () => probeTarget(runner.log, check, { ...runner.probeEnvironment, signal });
  const judged = { host: hostOf(check.target), target: check.target, startedAt: checkedAt, repeat };
  const result = await outageWatch.judge(judged, await repeat());
  const { outcome } = result;
  if (signal.aborted && outcome === 'unknown') return;
  await requests.store(check, { checkedAt, outcome, findings: toFindings(result) });
}

function toFindings({ responseTime, statusCode, error, phases }: ProbeResult): Findings {
  return {
    responseTime,
    statusCode,
    errorCode: error?.code ?? null,
    errorMessage: forMembers(error)?.message ?? null,
    phases,
  };
}
