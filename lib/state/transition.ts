import { followConfirmation } from './confirmation/follow-confirmation';
import { type AggregateStatus, aggregate, decideStatus } from './decide-status';
import { enterStatus, eventFor, settleStatus } from './enter-status';
import { explainChange, formatCause } from './explain';
import { followMembers } from './groups/follow-members';
import { countResult, resultTime, SILENT_REGION, verdictChanges } from './region';
import { enterUnknown, leaveUnknown } from './silence';
import type {
  CheckInput,
  MonitorState,
  RegionState,
  ResultInput,
  StateConfig,
  StateTransition,
  StatusEffect,
  Verdict,
} from './types';
import {
  consecutiveFailures,
  countingRegions,
  dropLostVotes,
  firstRoundMs,
  listVotes,
  type Tally,
  tally,
  voteLifetime,
  votersOf,
} from './votes';

/**
 * The one place that decides a monitor's status: takes a result, the mere passing of time, or what the members of a group
 * are, and returns the new state and the effects to record. Pure; `now` is the service's clock in epoch milliseconds.
 *
 * An inconclusive result changes nothing, not even time: an unknown outcome, a region that the monitor does
 * not have, a check that began no later than the region's last one (a replay), or a result too old to give a
 * vote.
 *
 * A paused monitor gets no input. Maintenance is unknown here: while it lasts, the recorder sends no events
 * and keeps the `lastEvent` that was sent.
 */
export function transition(
  config: StateConfig,
  state: MonitorState,
  input: CheckInput,
  now: number,
): StateTransition {
  if (input.kind === 'members') return followMembers(config, state, input, now);
  // Time alone changes nothing about a group.
  if (config.isGroup) return { state, effects: [] };
  if (input.kind === 'result' && !isNewResult(config, state, input, now)) return { state, effects: [] };

  const unserved = input.kind === 'tick' ? input.unserved : undefined;
  const aged = enterUnknown(config, dropLostVotes(config, state, now, unserved));
  const untouched: StateTransition = { state: aged.state, effects: [] };
  const reported = input.kind === 'result' ? takeResult(config, aged.state, input, now) : untouched;
  // A result counts at the moment its check ended: results recorded late, all together, are still one round.
  const at = input.kind === 'result' ? resultTime(config, input, now) : now;
  const regions = countingRegions(config, reported.state, at);
  const counted = { ...reported.state, consecutiveFailures: consecutiveFailures(regions) };
  const reporter = input.kind === 'result' ? input.region : null;
  const changed = changeStatus(config, counted, { regions, reporter, now });
  const confirmation = followConfirmation(
    config,
    { before: aged.state, after: changed.state, regions, reporter },
    now,
  );
  return {
    state: { ...changed.state, confirmation },
    effects: [...aged.effects, ...reported.effects, ...changed.effects],
  };
}

/** Whether a result counts: conclusive, of a region of the monitor, later than its last one, and young enough for a vote. */
export function isNewResult(
  config: StateConfig,
  state: MonitorState,
  result: ResultInput,
  now: number,
): boolean {
  if (result.outcome === 'unknown' || !config.regions.includes(result.region)) return false;
  const last = state.regions[result.region]?.startedAt ?? Number.NEGATIVE_INFINITY;
  return result.startedAt > last && now - resultTime(config, result, now) <= voteLifetime(config);
}

function takeResult(
  config: StateConfig,
  state: MonitorState,
  result: ResultInput,
  now: number,
): StateTransition {
  const known = leaveUnknown(state, result.startedAt);
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
 * When the first check of the round that this result belongs to began. A new round begins when no region has
 * a vote, and when none has reported for the length of a round: the watcher stood still, and otherwise the
 * first region to report would decide for those that lost their votes meanwhile.
 */
function firstCheckOf(config: StateConfig, state: MonitorState, result: ResultInput, now: number) {
  const { lastResultAt, firstCheckAt } = state;
  const silentSince = lastResultAt ?? Number.NEGATIVE_INFINITY;
  const wasSilent = resultTime(config, result, now) - silentSince > firstRoundMs(config);
  if (wasSilent || votersOf(state).length === 0) return result.startedAt;
  return firstCheckAt === null ? null : Math.min(firstCheckAt, result.startedAt);
}

function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

type Change = { state: MonitorState; effects: StatusEffect[] };

/** Applies the aggregate status of `regions` once due; `reporter` is the region that brought the result. */
function changeStatus(
  config: StateConfig,
  state: MonitorState,
  { regions, reporter, now }: { regions: readonly RegionState[]; reporter: string | null; now: number },
): Change {
  const decision = decideStatus(state, regions);
  const pick = decision && pickReportedRegion(state, decision.to, decision.votes, reporter);
  if (!decision || !pick) return { state, effects: [] };

  const { to, votes } = decision;
  const [region, reported] = pick;
  const since = backDate(state, to, regions, now);
  const event = eventFor(state, to);
  const entered = enterStatus(state, to, since);
  const { consecutiveFailures } = state;
  const effect: StatusEffect = {
    kind: 'status',
    from: state.status,
    to,
    at: now,
    since,
    why: {
      rule: explainChange({ config, from: state.status, to, votes, consecutiveFailures, reported, region }),
      regions: listVotes(config, state),
      voting: votes.voting,
      quorum: votes.quorum,
      configVersion: config.configVersion,
    },
    event,
    region,
    details: {
      consecutiveFailures,
      responseTime: reported.latest?.responseTime ?? null,
      statusCode: reported.latest?.statusCode ?? null,
      errorMessage: to === 'operational' ? null : formatCause(config, reported, 'event'),
    },
    downSince: entered.downSince,
    downtimeMs: entered.downMs,
  };

  return { state: settleStatus(entered, to, event), effects: [effect] };
}

/** The region for the event: its latest result matches `to`; preferably the reporter, else the latest. */
function pickReportedRegion(state: MonitorState, to: AggregateStatus, votes: Tally, reporter: string | null) {
  const wanted = to === 'operational' ? 'good' : votes.failing > 0 ? 'failed' : 'slow';
  const rank = ([id, region]: [string, RegionState]) => {
    const kind = region.latest?.kind;
    const matches = kind === wanted || (wanted === 'good' && kind === 'slow');
    return (matches ? 2 : 0) + (id === reporter ? 1 : 0);
  };
  return votersOf(state).sort(
    (a, b) => rank(b) - rank(a) || (b[1].startedAt ?? 0) - (a[1].startedAt ?? 0),
  )[0];
}

/**
 * When a change to `to`, decided at `now`, began: the earliest moment since which, in hindsight (every
 * verdict counts from the first check of the run that caused it), the reason for the change has held. That is
 * the q-th earliest start among the regions that caused it, or the earliest if one region suffices. Never
 * before known time, a lost vote, or the start of the current status. `regions` are those that count.
 */
function backDate(state: MonitorState, to: AggregateStatus, regions: readonly RegionState[], now: number) {
  const histories = regions.map(verdictChanges);
  const starts = new Set(histories.flatMap((history) => history.map((change) => change.since)));
  const holds = reasonFor(state, to, histories);

  let since = now;
  for (const start of [...starts].sort((a, b) => b - a)) {
    if (!holds(tally(histories.map((history) => verdictAt(history, start))))) break;
    since = start;
  }
  return Math.min(now, Math.max(state.floor, since));
}

type History = ReturnType<typeof verdictChanges>;

function verdictAt(history: History, moment: number): Verdict | null {
  return history.find((change) => change.since <= moment)?.verdict ?? null;
}

function reasonFor(state: MonitorState, to: AggregateStatus, histories: History[]): (then: Tally) => boolean {
  if (to === 'down') return (then) => then.failing >= then.quorum;
  if (state.status === 'down') {
    // Leaving down: a quorum that does not fail, or all that do not if they are fewer (half of an even
    // number).
    const current = tally(histories.map((history) => history[0]?.verdict ?? null));
    const needed = Math.min(current.quorum, current.withVerdict - current.failing);
    return (then) => then.withVerdict - then.failing >= needed;
  }
  return (then) => then.withVerdict >= then.quorum && aggregate(then) === to;
}
