import { contradictsItself } from './region';
import type { MonitorState, MonitorStatus, RegionState } from './types';
import { type Tally, tally } from './votes';

/** What the verdicts show now, before it is asked whether the status takes it over. */
export type Picture = Exclude<MonitorStatus, 'pending'>;

/** Down by a quorum of failing regions; else degraded by one failing region or a quorum of slow ones; else operational. */
export function pictureOf(votes: Tally): Picture {
  if (votes.failing >= votes.quorum) return 'down';
  if (votes.failing > 0 || votes.slow >= votes.quorum) return 'degraded';
  return 'operational';
}

/**
 * The status that the monitor takes over now, or null when it stays; `regions` are those that count.
 *
 * - Without a vote it stays; without a quorum of verdicts too: after a gap, verdicts need their full run again.
 * - Down is taken over at once.
 * - Pending ends with a quorum of verdicts. Only pending → degraded waits until the picture is settled like every
 *   other change: one good region, then one that fails, are a quorum of verdicts that says degraded, and the next region
 *   makes it down. An outage that begins while the monitor is pending must not pass through degraded.
 */
export function decide(
  { status, verdictChangedAt }: MonitorState,
  regions: readonly RegionState[],
): { to: Picture; votes: Tally } | null {
  const votes = tally(regions.map((region) => region.verdict));
  if (votes.withVerdict < votes.quorum) return null;

  const to = pictureOf(votes);
  if (to === status) return null;
  const atOnce = to === 'down' || (status === 'pending' && to === 'operational');
  return atOnce || isSettled(regions, verdictChangedAt) ? { to, votes } : null;
}

/**
 * Whether the picture is more than a moment between two: every region that counts has looked since the check that
 * last changed a verdict began, and what it saw does not speak against its verdict.
 */
function isSettled(regions: readonly RegionState[], verdictChangedAt: number | null): boolean {
  const changedAt = verdictChangedAt ?? Number.NEGATIVE_INFINITY;
  return regions.every(
    (region) => region.startedAt !== null && region.startedAt >= changedAt && !contradictsItself(region),
  );
}
