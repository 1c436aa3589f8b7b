import type { Effect, MonitorState, RegionState, StateConfig, StateTransition } from './types';
import { isVoteLost, voteLifetime } from './votes';

/** Milliseconds without a live worker after which a region counts as unserved. */
export const UNSERVED_AFTER_MS = 60_000;

/** What determines whether a monitor is silent. Times are epoch milliseconds. */
export type Watched = {
  enabled: boolean;
  config: Pick<StateConfig, 'intervalMs' | 'timeoutMs' | 'regions'>;
  state: Pick<MonitorState, 'since' | 'lastResultAt'> & {
    regions: Record<string, Pick<RegionState, 'resultAt' | 'startedAt'>>;
  };
  /** When the configuration last changed: a region that was just added gets time to report. */
  configuredAt: number;
};

export type Silence = {
  /** Start of the unknown period while no region delivers data; null otherwise, and while paused. */
  noDataSince: number | null;
  /** The configured regions without a vote or without a worker, in configuration order. */
  silentRegions: string[];
};

/** Whether no live worker has served a region for 60 s; `servedAt` is null if none ever did. */
export function isUnserved(servedAt: number | null, now: number): boolean {
  return servedAt === null || now - servedAt >= UNSERVED_AFTER_MS;
}

/** Whether a monitor is without data, and since when: the rule for unknown periods, also without a worker. */
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
    const awaitedSince = Math.max(configuredAt, state.since);
    return !hasReported && !unserved.has(id) && now - awaitedSince <= voteLifetime(config);
  };
  const silentRegions = regions.filter((id) => !hasVote(id) && !isAwaited(id));
  // A monitor without any result waits for its first; after that, a new region does not replace a silent one.
  const isSilent =
    state.lastResultAt === null ? silentRegions.length === regions.length : !regions.some(hasVote);
  const from = unknownFrom(config, state);
  if (isSilent && from <= now) return { noDataSince: from, silentRegions: [...regions] };
  return { noDataSince: null, silentRegions };
}

/** When known time ends without further results: one interval after the last one, or after the start. */
export function unknownFrom(
  { intervalMs }: Pick<StateConfig, 'intervalMs'>,
  { since, lastResultAt }: Pick<MonitorState, 'since' | 'lastResultAt'>,
): number {
  return (lastResultAt ?? since) + intervalMs;
}

/** Adds the current downtime, up to `at`, to the accumulated one. */
export function stopDownClock(state: MonitorState, at: number): MonitorState {
  if (state.downFrom === null) return state;
  return { ...state, downFrom: null, downMs: state.downMs + Math.max(0, at - state.downFrom) };
}

/**
 * Starts an unknown period when no region has a vote, one interval after the last result. Pending already is
 * unknown, so a pending monitor has no unknown period.
 */
export function enterUnknown(config: StateConfig, state: MonitorState): StateTransition {
  const hasVote = Object.values(state.regions).some((region) => region.resultAt !== null);
  const isKnown = state.status !== 'pending' && state.unknownSince === null;
  if (hasVote || !isKnown || state.lastResultAt === null) return { state, effects: [] };

  const from = Math.max(state.floor, unknownFrom(config, state));
  const effects: Effect[] = [{ kind: 'unknown', from }];
  return { state: { ...stopDownClock(state, from), unknownSince: from }, effects };
}

/** Ends the unknown period with the check that brings the first vote back. */
export function leaveUnknown(state: MonitorState, startedAt: number): StateTransition {
  if (state.unknownSince === null) return { state, effects: [] };

  const from = Math.max(state.unknownSince, startedAt);
  const downFrom = state.status === 'down' ? from : null;
  const floor = Math.max(state.floor, from);
  return { state: { ...state, unknownSince: null, floor, downFrom }, effects: [{ kind: 'known', from }] };
}
