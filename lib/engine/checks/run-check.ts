import type { Evidence } from '@/lib/checks/evidence';
import { probe } from '@/lib/checks/probe';
import type { ProbeEnvironment } from '@/lib/checks/probe-environment';
import { createUnknown } from '@/lib/checks/probe-result';
import type { ProbeResult } from '@/lib/checks/result';
import { traced } from '@/lib/core/calls/traced';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Clock } from '@/lib/core/time/clock';
import type { RacePoints } from '@/lib/domain/context/race-points';
import type { SealedEvidence } from '@/lib/domain/monitors/evidence/sealed-evidence';
import type { BatchRecorder } from '@/lib/engine/runtime/batch-recorder';
import { wantedEvidence } from './evidence/wanted-evidence';
import type { OutageWatch } from './outage-watch';
import type { FinishedCheck } from './recording/store-results';
import type { DueCheck } from './shards/scheduled-monitor';

/** What running a check takes. */
export type CheckRunner = {
  clock: Clock;
  /** Only in tests of races. */
  races?: RacePoints;
  /** Prepares what a check saw to be recorded with its result. */
  sealEvidence(result: ProbeResult, show: () => Evidence): Promise<SealedEvidence>;
  recorder: BatchRecorder<FinishedCheck>;
  probeEnvironment: ProbeEnvironment;
  outageWatch: Pick<OutageWatch, 'judge'>;
  log: Logger;
};

/**
 * Runs a check and records its result. One that is aborted is not recorded: the next owner of its shard runs it again. `onBack` is called
 * once this worker has its network again, if the result is unknown because it had none.
 */
export async function runCheck(
  runner: CheckRunner,
  check: DueCheck,
  { signal, onBack }: { signal: AbortSignal; onBack(): void },
): Promise<void> {
  const { clock, races, recorder, outageWatch, log } = runner;
  if (races) await races.reach('check taken');
  let startedAt = clock.now();
  const evidenceOf = wantedEvidence(check.monitor, startedAt.getTime());
  const { host, target, nextAt } = check.monitor;
  // What begins then belongs to the next slot, which has a check of its own.
  const beginAgain = () => {
    const now = clock.now();
    if (now.getTime() >= nextAt) return false;
    startedAt = now;
    return true;
  };
  const environment = { ...runner.probeEnvironment, signal, evidenceOf, beginAgain };
  const run = () => probeTarget(log, check.monitor, environment);
  const seen = await run();
  const repeat = async () =>
    beginAgain() ? run() : createUnknown('unavailable', 'the network returned when the next check was due');
  const result = await outageWatch.judge({ host, target, startedAt, repeat, onBack }, seen);
  if (signal.aborted && result.outcome === 'unknown') return;
  if (races) await races.reach('check finished');
  // Holds its slot: results must not pile up faster than the database stores them.
  const finished = { check, startedAt, result };
  await recorder.add(result.evidence === null ? finished : await sealSeen(runner, finished));
}

/** Replaces what a check saw by its sealed form. If it cannot be sealed, the check still counts. */
async function sealSeen(
  { sealEvidence, log }: CheckRunner,
  { check, startedAt, result }: FinishedCheck,
): Promise<FinishedCheck> {
  const finished = { check, startedAt, result: { ...result, evidence: null } };
  try {
    if (result.evidence === null) return finished;
    return { ...finished, evidence: await sealEvidence(result, result.evidence) };
  } catch (error) {
    const fields = { monitor: check.monitor.id, error: describeError(error) };
    log.error(fields, 'could not keep what a check saw');
    return finished;
  }
}

/** Unknown if the request cannot be decrypted: that is not the target's fault. */
export async function probeTarget(
  log: Logger,
  { id: monitor, target, targetError }: Pick<DueCheck['monitor'], 'id' | 'target' | 'targetError'>,
  environment: ProbeEnvironment,
): Promise<ProbeResult> {
  if (targetError === null) {
    const attributes = { 'pharos.monitor.id': monitor };
    return traced(`check ${target.type}`, { attributes, isCall: true }, async (note) => {
      const result = await probe(target, environment);
      note({ 'pharos.check.outcome': result.outcome });
      return result;
    });
  }
  log.error({ monitor, error: targetError }, 'could not decrypt the headers or body of a monitor');
  return createUnknown(
    'unavailable',
    'the stored headers or body cannot be decrypted; enter them again and save the monitor',
  );
}
