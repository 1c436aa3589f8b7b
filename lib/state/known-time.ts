import { unknownFrom } from './silence';
import type { Effect, MonitorState, StateConfig, Transition } from './types';

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
