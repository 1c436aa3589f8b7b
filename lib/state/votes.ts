import { forMembers } from '@/lib/checks/for-members';
import { SILENT_REGION } from './region';
import type { MonitorState, RegionState, RegionVote, StateConfig, Verdict } from './types';

/** Time for the result of the slowest check to be recorded. */
const RECORDING_MS = 15_000;

/** The votes at one moment: how many regions count (n), the quorum (q), and their verdicts. */
export type Tally = { voting: number; quorum: number; failing: number; slow: number; withVerdict: number };

/** The age in milliseconds after which a region's last result no longer gives a vote. */
export function voteLifetime(config: Pick<StateConfig, 'intervalMs' | 'timeoutMs'>): number {
  return 3 * Math.max(config.intervalMs, config.timeoutMs);
}

/** Whether a region lost its vote: its last result is too old, or overdue in an unserved region. */
export function isVoteLost(
  config: Pick<StateConfig, 'intervalMs' | 'timeoutMs'>,
  resultAt: number,
  now: number,
  { unserved = false }: { unserved?: boolean } = {},
): boolean {
  const age = now - resultAt;
  return age > voteLifetime(config) || (unserved && age >= config.intervalMs);
}

/**
 * Removes vote, verdict and counters of regions whose last result is too old, and drops regions that the
 * monitor no longer has. An `unserved` region (without a live worker) loses its vote as soon as its next
 * result is overdue, but only if no other region keeps its vote: it never makes another region decide alone
 * any sooner. A region's verdict holds for one interval after its last result: a change caused by its silence
 * is not back-dated any further.
 */
export function dropLostVotes(
  config: StateConfig,
  state: MonitorState,
  now: number,
  unserved: readonly string[] = [],
): MonitorState {
  const isLost = (id: string, silent: readonly string[]) => {
    const resultAt = state.regions[id]?.resultAt ?? null;
    return resultAt === null || isVoteLost(config, resultAt, now, { unserved: silent.includes(id) });
  };
  const isSilent = config.regions.every((id) => isLost(id, unserved));
  const silent = isSilent ? unserved : [];
  const regions: Record<string, RegionState> = {};
  let floor = state.floor;
  let changed = false;

  for (const [id, region] of Object.entries(state.regions)) {
    const configured = config.regions.includes(id);
    if (configured && (region.resultAt === null || !isLost(id, silent))) {
      regions[id] = region;
      continue;
    }
    changed = true;
    if (configured) regions[id] = { ...SILENT_REGION, startedAt: region.startedAt };
    if (region.resultAt !== null) floor = Math.max(floor, Math.min(now, region.resultAt + config.intervalMs));
  }
  return changed ? { ...state, regions, floor } : state;
}

/**
 * How long after the first check, in milliseconds, regions that have not reported yet are awaited: by then
 * every region was due, its check has ended, and its result is recorded.
 */
export function firstRoundMs({ intervalMs, timeoutMs }: StateConfig): number {
  return intervalMs + timeoutMs + RECORDING_MS;
}

/** The regions with a vote. */
export function votersOf(state: MonitorState): [id: string, region: RegionState][] {
  return Object.entries(state.regions).filter(([, region]) => region.resultAt !== null);
}

/**
 * The regions that count (n) at a moment: those with a vote and, during the first round, those that have not
 * reported in it yet, as regions without a verdict. So the first of three regions to report never decides
 * alone.
 */
export function countingRegions(config: StateConfig, state: MonitorState, at: number): RegionState[] {
  const voters = votersOf(state).map(([, region]) => region);
  const { firstCheckAt } = state;
  if (firstCheckAt === null || at - firstCheckAt >= firstRoundMs(config)) return voters;
  const awaited = config.regions.filter((id) => {
    const { startedAt, resultAt } = state.regions[id] ?? SILENT_REGION;
    return resultAt === null && (startedAt === null || startedAt < firstCheckAt);
  });
  return [...voters, ...awaited.map(() => SILENT_REGION)];
}

/** Counts verdicts; null stands for a region in its first run. */
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

/** The monitor's consecutive failures: the q-th largest count among the counting regions, 0 without any. */
export function consecutiveFailures(regions: readonly RegionState[]): number {
  const counts = regions.map((region) => region.failures);
  counts.sort((a, b) => b - a);
  return counts[quorumOf(counts.length) - 1] ?? 0;
}

/** The vote of every configured region, in configuration order. */
export function listVotes(config: StateConfig, state: MonitorState): RegionVote[] {
  return config.regions.map((id) => {
    const { verdict, failures, slows, goods, resultAt, latest } = state.regions[id] ?? SILENT_REGION;
    const error = forMembers(latest?.error ?? null);
    return { region: id, verdict, failures, slows, goods, vote: resultAt !== null, error };
  });
}

function quorumOf(voting: number): number {
  return Math.floor(voting / 2) + 1;
}
