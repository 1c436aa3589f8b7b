import { contradictsItself, SILENT_REGION } from './region';
import type { MonitorState, MonitorStatus, RegionState, RegionVote, StateConfig, Verdict } from './types';

/** Time for the result of the slowest check to be recorded. */
const RECORDING_MS = 15_000;

/** The votes of a moment: how many regions count (n), the quorum (q), and what they say. */
export type Tally = { voting: number; quorum: number; failing: number; slow: number; withVerdict: number };

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

/** Age in milliseconds beyond which a region's last result gives no vote. */
export function voteLifetime(config: Pick<StateConfig, 'intervalMs' | 'timeoutMs'>): number {
  return 3 * Math.max(config.intervalMs, config.timeoutMs);
}

/** Whether a region's last result is too old for a vote; in an unserved region, once its next result is overdue. */
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
 * Takes vote, verdict and counters from regions whose last result is too old, and forgets regions that the monitor does
 * not have any more. Where no region is left otherwise, one that is `unserved` (no worker lives there) loses its vote as
 * soon as its next result is overdue; while another region keeps its vote, it never decides alone any sooner for that. What
 * a region said holds for one interval after its last result: a change that follows from its silence is not back-dated
 * before that.
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
    if (region.resultAt !== null) {
      floor = Math.max(floor, Math.min(now, region.resultAt + config.intervalMs));
    }
  }
  return changed ? { ...state, regions, floor } : state;
}

/**
 * How long after its first check, in milliseconds, a region that has not reported yet is awaited: by then every region
 * was due, its check has ended, and its result is recorded.
 */
export function awaitedFor({ intervalMs, timeoutMs }: StateConfig): number {
  return intervalMs + timeoutMs + RECORDING_MS;
}

/** The regions with a vote. */
export function votersOf(state: MonitorState): [id: string, region: RegionState][] {
  return Object.entries(state.regions).filter(([, region]) => region.resultAt !== null);
}

/**
 * The regions that count in n at a moment: those with a vote, and while the first round goes on those that have not
 * reported in it, as regions without a verdict. So the first of three regions to report never decides alone.
 */
export function countingRegions(config: StateConfig, state: MonitorState, at: number): RegionState[] {
  const voters = votersOf(state).map(([, region]) => region);
  const { firstCheckAt } = state;
  if (firstCheckAt === null || at - firstCheckAt >= awaitedFor(config)) return voters;
  const awaited = config.regions.filter((id) => {
    const { startedAt, resultAt } = state.regions[id] ?? SILENT_REGION;
    return resultAt === null && (startedAt === null || startedAt < firstCheckAt);
  });
  return [...voters, ...awaited.map(() => SILENT_REGION)];
}

/** Counts the verdicts of the regions that count, null for those in their first run. */
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

/** The monitor's consecutive failures: the q-th largest count of the regions that count, 0 without any. */
export function consecutiveFailures(regions: readonly RegionState[]): number {
  const counts = regions.map((region) => region.failures);
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
