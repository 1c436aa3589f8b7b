import { changeStatus } from './change-status';
import { loseKnownTime, regainKnownTime } from './known-time';
import { countResult, resultTime, SILENT_REGION } from './region';
import type { CheckInput, Effect, MonitorState, ResultInput, StateConfig, Transition } from './types';
import {
  awaitedFor,
  consecutiveFailures,
  countingRegions,
  dropLostVotes,
  voteLifetime,
  votersOf,
} from './votes';

/**
 * The one place that decides a monitor's status: what a result, or the mere passing of time, makes of its state, and
 * what the recorder has to do about it. Pure; `now` is the service's clock in epoch milliseconds.
 *
 * A result that says nothing changes nothing, time included: an unknown outcome, a region that the monitor does not
 * have, a check that began no later than the region's last (a replay), a result too old to give a vote.
 *
 * A paused monitor gets no input at all. Maintenance is not known here. While it lasts, the recorder sends no event
 * and keeps the `lastEvent` that was sent.
 */
export function transition(
  config: StateConfig,
  state: MonitorState,
  input: CheckInput,
  now: number,
): Transition {
  if (input.kind === 'result' && !isNews(config, state, input, now)) return { state, effects: [] };

  const unserved = input.kind === 'tick' ? input.unserved : undefined;
  const lost = loseKnownTime(config, dropLostVotes(config, state, now, unserved));
  const reported =
    input.kind === 'result' ? takeResult(config, lost.state, input, now) : unchanged(lost.state);
  // A result speaks for the moment at which its check ended: what is recorded late, all at once, is still one round.
  const at = input.kind === 'result' ? resultTime(config, input, now) : now;
  const regions = countingRegions(config, reported.state, at);
  const counted = { ...reported.state, consecutiveFailures: consecutiveFailures(regions) };
  const reporter = input.kind === 'result' ? input.region : null;
  const changed = changeStatus(config, counted, { regions, reporter, now });
  return { state: changed.state, effects: [...lost.effects, ...reported.effects, ...changed.effects] };
}

function isNews(config: StateConfig, state: MonitorState, result: ResultInput, now: number): boolean {
  if (result.outcome === 'unknown' || !config.regions.includes(result.region)) return false;
  const last = state.regions[result.region]?.startedAt ?? Number.NEGATIVE_INFINITY;
  return result.startedAt > last && now - resultTime(config, result, now) <= voteLifetime(config);
}

function takeResult(config: StateConfig, state: MonitorState, result: ResultInput, now: number): Transition {
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
      firstCheckAt: firstCheckOf(config, state, result, now),
    },
    effects: known.effects,
  };
}

/**
 * When the first check began of the round that this result belongs to. A new round begins where no region has a vote, and
 * where none reported for as long as a round takes: then the watcher stood still, and of regions that still have a vote the
 * first to report would decide in the place of those that lost theirs meanwhile.
 */
function firstCheckOf(
  config: StateConfig,
  state: MonitorState,
  result: ResultInput,
  now: number,
): number | null {
  const { lastResultAt, firstCheckAt } = state;
  const silentSince = lastResultAt ?? Number.NEGATIVE_INFINITY;
  const wasSilent = resultTime(config, result, now) - silentSince > awaitedFor(config);
  if (wasSilent || votersOf(state).length === 0) return result.startedAt;
  return firstCheckAt === null ? null : Math.min(firstCheckAt, result.startedAt);
}

function unchanged(state: MonitorState): { state: MonitorState; effects: Effect[] } {
  return { state, effects: [] };
}

function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
