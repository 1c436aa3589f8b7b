import { noteEvidence } from '@/lib/engine/checks/evidence/wanted-evidence';
import { classifyResult, resultTime } from '@/lib/state/region';
import { failureOf } from '@/lib/state/routine';
import type { ResultInput } from '@/lib/state/types';
import type { FinishedCheck } from './store-results';

/** Keeps what decides whether the next result of the region is routine. */
export function noteResult(
  { check: { monitor }, startedAt, result, evidence }: FinishedCheck,
  now: Date,
): void {
  if (result.outcome === 'unknown') return;
  const ended = { startedAt: startedAt.getTime(), responseTime: result.responseTime };
  monitor.lastResultAt = resultTime(monitor.config, ended, now.getTime());
  monitor.certificateExpiresAt = result.certificateExpiresAt?.getTime() ?? null;
  monitor.failure =
    result.outcome === 'failed'
      ? failureOf(classifyResult(monitor.config, toInput({ check: { monitor }, startedAt, result })))
      : null;
  noteEvidence(monitor, result.outcome, { startedAt, isKept: evidence !== undefined });
}

/** A finished check as the status decides about it. */
export function toInput({
  check,
  startedAt,
  result,
}: Pick<FinishedCheck, 'startedAt' | 'result'> & {
  check: { monitor: Pick<FinishedCheck['check']['monitor'], 'region'> };
}): ResultInput {
  return { kind: 'result', region: check.monitor.region, startedAt: startedAt.getTime(), ...result };
}
