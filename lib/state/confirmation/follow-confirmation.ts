import { isSettled } from '../decide-status';
import { contradictsVerdict } from '../region';
import { isContested } from '../routine';
import type { Confirmation, MonitorState, RegionState, StateConfig } from '../types';

/** Checks off the grid that a region can make in a run. What it used is returned over time, one per interval, when the next run begins. */
export const MAX_CONFIRMATIONS = 10;

type RegionRun = Confirmation['regions'][string];

/** The states around an input, the regions that count, and which region reported; null after a mere tick. */
type Step = {
  before: MonitorState;
  after: MonitorState;
  regions: readonly RegionState[];
  reporter: string | null;
};

/**
 * Decides which checks off the grid confirm or rule out a change of status, and when the next one of each region is due.
 *
 * A run begins with a result that contradicts its region's verdict: a first failure, or a first success of a failing region. The other
 * regions are due at once, each region again `confirmMs` after its last check began, or at once when all that is missing is its word.
 * The run ends when the status changes, or is settled again. A region makes at most ten checks off the grid in a run, and in the long run no more than one per interval: a target
 * that keeps flapping is checked at most twice as often as without.
 *
 * Nothing is confirmed while the status is pending or unknown, or in a region without a verdict: that is their first run. An inconclusive
 * result is as if its check had not happened, so the region continues at its next slot.
 */
export function followConfirmation(config: StateConfig, step: Step, now: number): Confirmation | null {
  if (config.confirmMs === null) return null;
  const last = countUsed(step);
  if (!isInDoubt(config, step)) return last && endRun(last);
  if (step.reporter === null) return last;
  if (last?.isOpen) return continueRun(config, last, step, now);
  return contradicts(step) ? beginRun(config, last, step, now) : last;
}

/** A check that began when one was due has taken its place, also one of the grid. */
function countUsed({ after: { confirmation, regions }, reporter }: Step): Confirmation | null {
  const known = reporter === null ? undefined : confirmation?.regions[reporter];
  if (!confirmation || reporter === null || known?.dueAt == null) return confirmation;
  if ((regions[reporter]?.startedAt ?? 0) < known.dueAt) return confirmation;
  return {
    ...confirmation,
    regions: { ...confirmation.regions, [reporter]: { used: known.used + 1, dueAt: null } },
  };
}

/** Whether a check could still change the status, or confirm it. A monitor that is not contested records results without deciding. */
function isInDoubt(config: StateConfig, { before, after, regions }: Step): boolean {
  if (
    after.status === 'pending' ||
    before.unknownSince !== null ||
    after.unknownSince !== null ||
    after.status !== before.status
  )
    return false;
  return isContested(config, after) && !isSettled(regions, after.verdictChangedAt);
}

/** Whether the result contradicts what its region was known to see. While the monitor is down, more failures change nothing. */
function contradicts({ before, after, reporter }: Step): boolean {
  const verdict = before.regions[reporter ?? '']?.verdict ?? null;
  const failed = after.regions[reporter ?? '']?.latest?.kind === 'failed';
  if (verdict === null || (failed && after.status === 'down')) return false;
  return failed !== (verdict === 'failing');
}

function beginRun(config: StateConfig, last: Confirmation | null, step: Step, now: number): Confirmation {
  const returned = Math.max(0, now - (last?.begunAt ?? now)) / config.intervalMs;
  const regions = config.regions.map((id): [string, RegionRun] => {
    const used = Math.max(0, (last?.regions[id]?.used ?? 0) - returned);
    return [id, { used, dueAt: id === step.reporter ? nextDue(config, step, id, now) : now }];
  });
  return { isOpen: true, begunAt: now, regions: withinLimit(regions) };
}

/** Once all verdicts agree with what was last seen, regions that have not checked since the last change are all that is missing. */
function continueRun(config: StateConfig, last: Confirmation, step: Step, now: number): Confirmation {
  const { regions: seen, verdictChangedAt } = step.after;
  const isAgreed = !step.regions.some(contradictsVerdict);
  const regions = config.regions.map((id): [string, RegionRun] => {
    const known = last.regions[id] ?? { used: 0, dueAt: null };
    if (id === step.reporter) return [id, { ...known, dueAt: nextDue(config, step, id, now) }];
    const isMissing = isAgreed && (seen[id]?.startedAt ?? 0) < (verdictChangedAt ?? 0);
    return [id, isMissing ? { ...known, dueAt: Math.min(known.dueAt ?? now, now) } : known];
  });
  return { ...last, regions: withinLimit(regions) };
}

/** No check is due in a region that has used all. */
function withinLimit(regions: [id: string, region: RegionRun][]): Confirmation['regions'] {
  const limited = regions.map(([id, run]) => [
    id,
    run.used + 1 <= MAX_CONFIRMATIONS ? run : { ...run, dueAt: null },
  ]);
  return Object.fromEntries(limited);
}

/** At once after a check that took longer than the time in between. */
function nextDue(config: StateConfig, { after }: Step, id: string, now: number): number {
  return Math.max(now, (after.regions[id]?.startedAt ?? now) + (config.confirmMs ?? 0));
}

function endRun(last: Confirmation): Confirmation {
  if (!last.isOpen) return last;
  const regions = Object.entries(last.regions).map(([id, { used }]) => [id, { used, dueAt: null }]);
  return { ...last, isOpen: false, regions: Object.fromEntries(regions) };
}

/** A check of a region that becomes due at a time, whatever the grid says. Before the region's last check: only the grid applies. */
export type OffGridCheck = { region: string; at: number };

/**
 * What must be written to the schedule after a decision. A check that is no longer due is moved to when its region was last checked, so
 * that the grid applies; one that has begun meanwhile needs no change.
 */
export function listOffGridChecks(before: MonitorState, after: MonitorState): OffGridCheck[] {
  const ids = new Set(
    [before, after].flatMap(({ confirmation }) => Object.keys(confirmation?.regions ?? {})),
  );
  return [...ids].flatMap((region) => {
    const was = before.confirmation?.regions[region]?.dueAt ?? null;
    const at = after.confirmation?.regions[region]?.dueAt ?? null;
    if (at !== null) return at === was ? [] : [{ region, at }];
    const startedAt = after.regions[region]?.startedAt ?? null;
    return was === null || startedAt === null || startedAt >= was ? [] : [{ region, at: startedAt }];
  });
}
