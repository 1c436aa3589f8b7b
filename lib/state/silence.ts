import { isVoteLost, voteLifetime } from './aggregate-status';
import type { Effect, MonitorState, RegionState, StateConfig, Transition } from './types';

/** Milliseconds without a living worker after which a region counts as unserved. */
export const UNSERVED_AFTER_MS = 60_000;

/** What decides whether a monitor is silent. Times are epoch milliseconds. */
export type Watched = {
  enabled: boolean;
  config: Pick<StateConfig, 'intervalMs' | 'timeoutMs' | 'regions'>;
  state: Pick<MonitorState, 'since' | 'lastResultAt'> & {
    regions: Record<string, Pick<RegionState, 'resultAt' | 'startedAt'>>;
  };
  /** When its configuration last changed: a region that was just added is given time to report. */
  configuredAt: number;
};

export type Silence = {
  /** Start of the unknown period while no configured region delivers data; null otherwise, and while paused. */
  noDataSince: number | null;
  /** The configured regions without a vote or without a worker, in the order of the configuration. */
  silentRegions: string[];
};

/** Whether no living worker has served a region for 60 s; `servedAt` is null where none ever did. */
export function isUnserved(servedAt: number | null, now: number): boolean {
  return servedAt === null || now - servedAt >= UNSERVED_AFTER_MS;
}

/**
 * Whether and since when a monitor is without data. The same rule that begins unknown time in the ledger, so that a
 * reader is right even while no worker is left to write it.
 */
export function readSilence(
  { enabled, config, state, configuredAt }: Watched,
  unserved: ReadonlySet<string>,
  now: number,
): Silence {
  if (!enabled) return { noDataSince: null, silentRegions: [] };
  const { regions } = config;
  const hasVote = (id: string) => {
    const resultAt = state.regions[id]?.resultAt ?? null;
    return resultAt !== null && !unserved.has(id) && !isVoteLost(config, resultAt, now);
  };
  const isAwaited = (id: string) => {
    const hasReported = (state.regions[id]?.startedAt ?? null) !== null;
    const waitsSince = Math.max(configuredAt, state.since);
    return !hasReported && !unserved.has(id) && now - waitsSince <= voteLifetime(config);
  };
  const silentRegions = regions.filter((id) => !hasVote(id) && !isAwaited(id));
  // A monitor without any result yet waits for its first; after one, a region that is new stands in for no other.
  const isSilent =
    state.lastResultAt === null ? silentRegions.length === regions.length : !regions.some(hasVote);
  const from = unknownFrom(config, state);
  if (isSilent && from <= now) return { noDataSince: from, silentRegions: [...regions] };
  return { noDataSince: null, silentRegions };
}

/**
 * Where known time ends without further results: one interval after the last one, or after the monitor began to wait
 * for its first.
 */
export function unknownFrom(
  { intervalMs }: Pick<StateConfig, 'intervalMs'>,
  { since, lastResultAt }: Pick<MonitorState, 'since' | 'lastResultAt'>,
): number {
  return (lastResultAt ?? since) + intervalMs;
}

/** Adds the running time down, up to `at`, to the completed one. */
export function stopDownClock(state: MonitorState, at: number): MonitorState {
  if (state.downFrom === null) return state;
  return { ...state, downFrom: null, downMs: state.downMs + Math.max(0, at - state.downFrom) };
}

/**
 * Begins unknown time when no region has a vote: one interval after the last result. Pending time is not known anyhow,
 * so a pending monitor has no unknown time beside it.
 */
export function loseKnownTime(config: StateConfig, state: MonitorState): Transition {
  const hasVote = Object.values(state.regions).some((region) => region.resultAt !== null);
  const isKnown = state.status !== 'pending' && state.unknownSince === null;
  if (hasVote || !isKnown || state.lastResultAt === null) return { state, effects: [] };

  const from = Math.max(state.floor, unknownFrom(config, state));
  const effects: Effect[] = [{ kind: 'unknown', from }];
  return { state: { ...stopDownClock(state, from), unknownSince: from }, effects };
}

/** Ends unknown time with the check that brings the first vote back. */
export function regainKnownTime(state: MonitorState, startedAt: number): Transition {
  if (state.unknownSince === null) return { state, effects: [] };

  const from = Math.max(state.unknownSince, startedAt);
  const downFrom = state.status === 'down' ? from : null;
  const floor = Math.max(state.floor, from);
  return { state: { ...state, unknownSince: null, floor, downFrom }, effects: [{ kind: 'known', from }] };
}
