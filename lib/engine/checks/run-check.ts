import { probe } from '@/lib/checks/probe';
import type { ProbeEnvironment } from '@/lib/checks/probe-environment';
import { createUnknown } from '@/lib/checks/probe-result';
import type { ProbeResult } from '@/lib/checks/result';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import type { BatchRecorder } from '@/lib/engine/runtime/batch-recorder';
import type { OutageWatch } from './outage-watch';
import type { FinishedCheck } from './recording/store-results';
import type { DueCheck } from './shards/scheduled-monitor';

/** What running a check takes. */
export type CheckRunner = {
  services: Services;
  recorder: BatchRecorder<FinishedCheck>;
  probeEnvironment: ProbeEnvironment;
  outageWatch: OutageWatch;
  log: Logger;
};

/** Runs a check and records its result. One that is aborted is not recorded: the next owner of its shard runs it again. */
export async function runCheck(runner: CheckRunner, check: DueCheck, signal: AbortSignal): Promise<void> {
  const { services, recorder, outageWatch } = runner;
  const { races } = services;
  if (races) await races.reach('check taken');
  const startedAt = services.clock.now();
  const seen = await probeTarget(runner, check.monitor, signal);
  const result = await outageWatch.judge(check.monitor.host, seen, startedAt);
  if (signal.aborted && result.outcome === 'unknown') return;
  if (races) await races.reach('check finished');
  // Holds its slot: results must not pile up faster than the database stores them.
  await recorder.add({ check, startedAt, result });
}

/** Unknown if the request cannot be decrypted: that is not the target's fault. */
export async function probeTarget(
  { probeEnvironment, log }: Pick<CheckRunner, 'probeEnvironment' | 'log'>,
  { id: monitor, target, targetError }: Pick<DueCheck['monitor'], 'id' | 'target' | 'targetError'>,
  signal: AbortSignal,
): Promise<ProbeResult> {
  if (targetError === null) return probe(target, { ...probeEnvironment, signal });
  log.error({ monitor, error: targetError }, 'could not decrypt the headers or body of a monitor');
  return createUnknown(
    'unavailable',
    'the stored headers or body cannot be decrypted; enter them again and save the monitor',
  );
}
