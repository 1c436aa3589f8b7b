import { SILENT_REGION } from './region';
import type { MonitorState, RegionState, RegionVote, StateConfig, Verdict } from './types';

/** The votes of a moment: how many regions have one (n), the quorum (q), and what they say. */
export type Tally = { voting: number; quorum: number; failing: number; slow: number; withVerdict: number };

/** Age in milliseconds beyond which a region's last result gives no vote. */
export function voteLifetime(config: StateConfig): number {
  return 3 * Math.max(config.intervalMs, config.timeoutMs);
}

/**
 * Takes vote, verdict and counters from regions whose last result is too old, and forgets regions that the monitor does
 * not have any more. What such a region said holds for one interval after its last result: a change that follows from
 * its silence is not back-dated before that.
 */
export function dropLostVotes(config: StateConfig, state: MonitorState, now: number): MonitorState {
  const lifetime = voteLifetime(config);
  const regions: Record<string, RegionState> = {};
  let floor = state.floor;
  let changed = false;

  for (const [id, region] of Object.entries(state.regions)) {
    const configured = config.regions.includes(id);
    if (configured && (region.resultAt === null || now - region.resultAt <= lifetime)) {
      regions[id] = region;
      continue;
    }
    changed = true;
    if (configured) regions[id] = { ...SILENT_REGION, startedAt: region.startedAt };
    if (region.resultAt !== null) {
      floor = Math.max(floor, Math.min(now, region.resultAt + config.intervalMs));
    }
  }
  return changed ? { ...state, regions, floor } : state;
}

/** The regions with a vote. */
export function votersOf(state: MonitorState): [id: string, region: RegionState][] {
  return Object.entries(state.regions).filter(([, region]) => region.resultAt !== null);
}

/** Counts the verdicts of the regions with a vote, null for those in their first run. */
export function tally(verdicts: (Verdict | null)[]): Tally {
  const count = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length;
  return {
    voting: verdicts.length,
    quorum: quorumOf(verdicts.length),
    failing: count('failing'),
    slow: count('slow'),
    withVerdict: verdicts.filter((verdict) => verdict !== null).length,
  };
}

/** The monitor's consecutive failures: the q-th largest count of the regions with a vote, 0 without a vote. */
export function consecutiveFailures(state: MonitorState): number {
  const counts = votersOf(state).map(([, region]) => region.failures);
  counts.sort((a, b) => b - a);
  return counts[quorumOf(counts.length) - 1] ?? 0;
}

/** What every configured region says, in the order of the configuration. */
export function listVotes(config: StateConfig, state: MonitorState): RegionVote[] {
  return config.regions.map((id) => {
    const region = state.regions[id] ?? SILENT_REGION;
    return {
      region: id,
      verdict: region.verdict,
      failures: region.failures,
      slows: region.slows,
      goods: region.goods,
      vote: region.resultAt !== null,
      error: region.latest?.error ?? null,
    };
  });
}

function quorumOf(voting: number): number {
  return Math.floor(voting / 2) + 1;
}
