import { classifyResult, resultTime } from './region';
import type { MonitorState, RegionState, ResultInput, StateConfig } from './types';
import { firstRoundMs, voteLifetime } from './votes';

/** A region's latest conclusive check, as recorded outside the state. Times are epoch milliseconds. */
export type LastCheck = {
  region: string;
  /** When it began. */
  startedAt: number;
  /** When its result arrived. */
  resultAt: number;
  responseTime: number | null;
};

/**
 * Whether any result can matter to the monitor's status. Otherwise it is operational, every region has a good
 * verdict and a good latest result, and nothing is pending: one more good result changes nothing but its time. Every call of a job
 * matters, as it moves the deadline of the next.
 */
export function isContested(config: StateConfig, state: MonitorState): boolean {
  if (!config.isProbed || state.status !== 'operational' || state.unknownSince !== null) return true;
  return !config.regions.every((id) => isSteady(state.regions[id]));
}

function isSteady(region: RegionState | undefined): boolean {
  return region?.resultAt != null && region.verdict === 'good' && region.latest?.kind === 'good';
}

/**
 * Whether a result of a monitor that is not contested is routine: good, with the certificate of the region's last
 * one, and no gap in between. `transition` has no effect on it, and changes nothing that `withLastChecks` does not.
 */
export function isRoutine(
  config: StateConfig,
  last: { resultAt: number | null; certificateExpiresAt: number | null },
  result: ResultInput,
  now: number,
): boolean {
  if (last.resultAt === null || result.outcome !== 'ok') return false;
  if ((result.certificateExpiresAt?.getTime() ?? null) !== last.certificateExpiresAt) return false;
  const resultAt = resultTime(config, result, now);
  // After a gap, the region has lost its vote, or a new round begins.
  const hasVote = now - last.resultAt <= voteLifetime(config) && resultAt >= last.resultAt;
  const isSameRound = resultAt - last.resultAt <= firstRoundMs(config);
  return hasVote && isSameRound && classifyResult(config, result).kind === 'good';
}

/**
 * The state after the routine results up to the last checks of its regions; earlier checks are ignored. A damaged state stays as
 * it is: the transition fails on it, and says so.
 */
export function withLastChecks(state: MonitorState, checks: readonly LastCheck[]): MonitorState {
  if (!state.regions) return state;
  let { regions, lastResultAt } = state;
  for (const { region: id, startedAt, resultAt, responseTime } of checks) {
    const region = regions[id];
    if (!region?.latest || startedAt <= (region.startedAt ?? Number.POSITIVE_INFINITY)) continue;
    const latest = { ...region.latest, responseTime };
    regions = { ...regions, [id]: { ...region, startedAt, resultAt, latest } };
    lastResultAt = Math.max(lastResultAt ?? resultAt, resultAt);
  }
  return regions === state.regions ? state : { ...state, regions, lastResultAt };
}
