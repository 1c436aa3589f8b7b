import type { ProbeEnvironment } from '@/lib/checks/probe-environment';
import type { ProbeResult } from '@/lib/checks/result';
import type { ScheduledMonitor } from '@/lib/engine/checks/shards/scheduled-monitor';
import { gridSlotAfter } from '@/lib/state/schedule-grid';
import { voteLifetime } from '@/lib/state/votes';

export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * The results of a monitor's next check that leave evidence, by their outcome: the first failure of a run, the first success after it,
 * and a good response a day. A guess that costs three comparisons; `keepEvidence` decides.
 */
export function wantedEvidence(
  { failedAt, awaitsRecovery, goodDueAt, config }: ScheduledMonitor,
  now: number,
): ProbeEnvironment['evidenceOf'] {
  // After a gap in which the region lost its vote, a new run begins.
  if (failedAt !== null && now - failedAt <= voteLifetime(config)) return 'ok';
  return awaitsRecovery || now >= goodDueAt ? 'any' : 'failed';
}

/** Notes a result that was recorded, with evidence or without. */
export function noteEvidence(
  monitor: ScheduledMonitor,
  outcome: ProbeResult['outcome'],
  { startedAt, isKept }: { startedAt: Date; isKept: boolean },
): void {
  const failed = outcome === 'failed';
  monitor.failedAt = failed ? monitor.lastResultAt : null;
  monitor.awaitsRecovery = failed;
  if (isKept && !failed) monitor.goodDueAt = startedAt.getTime() + DAY_MS;
}

/**
 * When a good response of a monitor is due. If it is overdue, at the monitor's place in the hour, so that a worker that starts does not
 * read ten thousand bodies at once; but at once if the monitor is contested, which a new one is.
 */
export function goodDueAfter(
  goodAt: number | null,
  { isContested, phase }: Pick<ScheduledMonitor, 'isContested' | 'phase'>,
  now: number,
): number {
  const dueAt = goodAt === null ? now : goodAt + DAY_MS;
  return dueAt > now || isContested ? dueAt : gridSlotAfter(now, HOUR_MS, phase);
}
