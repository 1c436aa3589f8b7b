import { changeStatus } from './change-status';
import { loseKnownTime, regainKnownTime } from './known-time';
import { countResult, resultTime, SILENT_REGION } from './region';
import type { CheckInput, CheckResult, Effect, MonitorState, StateConfig, Transition } from './types';
import { consecutiveFailures, dropLostVotes, voteLifetime } from './votes';

/**
 * The one place that decides a monitor's status: what a result, or the mere passing of time, makes of its state, and
 * what the recorder has to do about it. Pure; `now` is the service's clock in epoch milliseconds.
 *
 * A result that says nothing changes nothing, time included: an unknown outcome, a region that the monitor does not
 * have, a check that began no later than the region's last (a replay), a result too old to give a vote.
 *
 * A paused monitor gets no input at all. Maintenance is not known here. While it lasts, the recorder sends no event and keeps the `lastEvent` that was sent.
 */
export function transition(
  config: StateConfig,
  state: MonitorState,
  input: CheckInput,
  now: number,
): Transition {
  if (input.kind === 'result' && !isNews(config, state, input, now)) return { state, effects: [] };

  const lost = loseKnownTime(config, dropLostVotes(config, state, now));
  const reported =
    input.kind === 'result' ? takeResult(config, lost.state, input, now) : unchanged(lost.state);
  const counted = { ...reported.state, consecutiveFailures: consecutiveFailures(reported.state) };
  const changed = changeStatus(config, counted, now, input.kind === 'result' ? input.region : null);
  return { state: changed.state, effects: [...lost.effects, ...reported.effects, ...changed.effects] };
}

function isNews(config: StateConfig, state: MonitorState, result: CheckResult, now: number): boolean {
  if (result.outcome === 'unknown' || !config.regions.includes(result.region)) return false;
  const last = state.regions[result.region]?.startedAt ?? Number.NEGATIVE_INFINITY;
  return result.startedAt > last && now - resultTime(config, result, now) <= voteLifetime(config);
}

function takeResult(config: StateConfig, state: MonitorState, result: CheckResult, now: number): Transition {
  const known = regainKnownTime(state, result.startedAt);
  const before = state.regions[result.region] ?? SILENT_REGION;
  const region = countResult(config, before, result, now);
  const changedAt = region.verdict === before.verdict ? state.verdictChangedAt : result.startedAt;
  return {
    state: {
      ...known.state,
      regions: { ...state.regions, [result.region]: region },
      verdictChangedAt: later(state.verdictChangedAt, changedAt),
      lastResultAt: later(state.lastResultAt, region.resultAt),
    },
    effects: known.effects,
  };
}

function unchanged(state: MonitorState): { state: MonitorState; effects: Effect[] } {
  return { state, effects: [] };
}

function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
