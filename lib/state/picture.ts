import { contradictsItself } from './region';
import type { MonitorState, MonitorStatus } from './types';
import { type Tally, tally, votersOf } from './votes';

/** What the verdicts show now, before it is asked whether the status takes it over. */
export type Picture = Exclude<MonitorStatus, 'pending'>;

/** Down by a quorum of failing regions; else degraded by one failing region or a quorum of slow ones; else operational. */
export function pictureOf(votes: Tally): Picture {
  if (votes.failing >= votes.quorum) return 'down';
  if (votes.failing > 0 || votes.slow >= votes.quorum) return 'degraded';
  return 'operational';
}

/**
 * The status that the monitor takes over now, or null when it stays.
 *
 * - Without a vote it stays; without a quorum of verdicts too: after a gap, verdicts need their full run again.
 * - Down is taken over at once.
 * - Pending ends with a quorum of verdicts. Only pending → degraded waits until the picture is settled like every
 *   other change, or an outage that begins while the monitor is pending would pass through degraded.
 */
export function decide(state: MonitorState): { to: Picture; votes: Tally } | null {
  const votes = tally(votersOf(state).map(([, region]) => region.verdict));
  if (votes.withVerdict < votes.quorum) return null;

  const to = pictureOf(votes);
  if (to === state.status) return null;
  const atOnce = to === 'down' || (state.status === 'pending' && to === 'operational');
  return atOnce || isSettled(state) ? { to, votes } : null;
}

/**
 * Whether the picture is more than a moment between two: every region with a vote has looked since the check that last
 * changed a verdict began, and what it saw does not speak against its verdict.
 */
export function isSettled(state: MonitorState): boolean {
  const changedAt = state.verdictChangedAt ?? Number.NEGATIVE_INFINITY;
  return votersOf(state).every(
    ([, region]) => region.startedAt !== null && region.startedAt >= changedAt && !contradictsItself(region),
  );
}
