import { contradictsVerdict } from './region';
import type { MonitorState, MonitorStatus, RegionState } from './types';
import { type Tally, tally } from './votes';

/** What the verdicts show now, before it is decided whether the monitor's status follows. */
export type AggregateStatus = Exclude<MonitorStatus, 'pending'>;

/** Down if a quorum fails; else degraded if one region fails or a quorum is slow; else operational. */
export function aggregate(votes: Tally): AggregateStatus {
  if (votes.failing >= votes.quorum) return 'down';
  if (votes.failing > 0 || votes.slow >= votes.quorum) return 'degraded';
  return 'operational';
}

/**
 * The status that the monitor changes to now, or null if it stays; `regions` are those that count.
 *
 * - Without a vote it stays, and without a quorum of verdicts too: after a gap, verdicts need a full run
 *   again.
 * - Down takes effect immediately.
 * - Pending ends with a quorum of verdicts. Only pending → degraded waits until the aggregate status is
 *   settled, like any other change: one good and one failing region are a quorum that shows degraded, and the
 *   next region turns it into down. An outage that begins while the monitor is pending must not pass through
 *   degraded.
 */
export function decideStatus(
  { status, verdictChangedAt }: MonitorState,
  regions: readonly RegionState[],
): { to: AggregateStatus; votes: Tally } | null {
  const votes = tally(regions.map((region) => region.verdict));
  if (votes.withVerdict < votes.quorum) return null;

  const to = aggregate(votes);
  if (to === status) return null;
  const isImmediate = to === 'down' || (status === 'pending' && to === 'operational');
  return isImmediate || isSettled(regions, verdictChangedAt) ? { to, votes } : null;
}

/**
 * Whether the aggregate status is more than a snapshot between two states: every counting region has checked
 * since the check that last changed a verdict began, and its latest result agrees with its verdict.
 */
export function isSettled(regions: readonly RegionState[], verdictChangedAt: number | null): boolean {
  const changedAt = verdictChangedAt ?? Number.NEGATIVE_INFINITY;
  return regions.every(
    (region) => region.startedAt !== null && region.startedAt >= changedAt && !contradictsVerdict(region),
  );
}
