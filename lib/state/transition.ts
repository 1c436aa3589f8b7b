import {
  awaitedFor,
  consecutiveFailures,
  countingRegions,
  decide,
  dropLostVotes,
  listVotes,
  type Picture,
  pictureOf,
  type Tally,
  tally,
  voteLifetime,
  votersOf,
} from './aggregate-status';
import { explainChange, formatCause } from './explain';
import { countResult, resultTime, SILENT_REGION, verdictChanges } from './region';
import { loseKnownTime, regainKnownTime, stopDownClock } from './silence';
import type {
  CheckInput,
  Effect,
  MonitorEvent,
  MonitorState,
  RegionState,
  ResultInput,
  StateConfig,
  StatusEffect,
  Transition,
  Verdict,
} from './types';

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

type Change = { state: MonitorState; effects: StatusEffect[] };

/**
 * Takes over the status that the votes show, if it is time to. `regions` are those that count, `reporter` is the one that
 * brought the result.
 */
function changeStatus(
  config: StateConfig,
  state: MonitorState,
  { regions, reporter, now }: { regions: readonly RegionState[]; reporter: string | null; now: number },
): Change {
  const decision = decide(state, regions);
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
      errorMessage: to === 'operational' ? null : formatCause(config, reported),
    },
    downSince: entered.downSince,
    downtimeMs: entered.downMs,
  };

  const rested = to === 'operational' ? { ...entered, downSince: null, downMs: 0 } : entered;
  return { state: { ...rested, lastEvent: event ?? state.lastEvent }, effects: [effect] };
}

/** pending → operational is news only after a bad one. */
function eventFor(state: MonitorState, to: Picture): MonitorEvent | null {
  if (to === 'down') return 'monitor.down';
  if (to === 'degraded') return 'monitor.degraded';
  const wasBad = state.lastEvent === 'monitor.down' || state.lastEvent === 'monitor.degraded';
  return state.status !== 'pending' || wasBad ? 'monitor.up' : null;
}

function enterStatus(state: MonitorState, to: Picture, since: number): MonitorState {
  const entered = { ...stopDownClock(state, since), status: to, since, floor: since };
  if (to !== 'down') return entered;
  return { ...entered, downFrom: since, downSince: state.downSince ?? since };
}

/** The region to tell of: one that says what the new status says, the reporting one if it can be, else the latest. */
function pickReportedRegion(
  state: MonitorState,
  to: Picture,
  votes: Tally,
  reporter: string | null,
): [string, RegionState] | undefined {
  const wanted = to === 'operational' ? 'good' : votes.failing > 0 ? 'failed' : 'slow';
  const rank = ([id, region]: [string, RegionState]) => {
    const kind = region.latest?.kind;
    const speaks = kind === wanted || (wanted === 'good' && kind === 'slow');
    return (speaks ? 2 : 0) + (id === reporter ? 1 : 0);
  };
  return votersOf(state).sort(
    (a, b) => rank(b) - rank(a) || (b[1].startedAt ?? 0) - (a[1].startedAt ?? 0),
  )[0];
}

/**
 * When a change to `to` that is decided at `now` began: the earliest moment since which, told with hindsight (every
 * verdict counts from the first check of the run that caused it), the reason for the change has held. That is the q-th
 * earliest start of the regions that caused it, or the earliest where one region suffices. Never before known time, a
 * lost vote, or the start of the present status. `regions` are those that count.
 */
function backDate(state: MonitorState, to: Picture, regions: readonly RegionState[], now: number): number {
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

function reasonFor(state: MonitorState, to: Picture, histories: History[]): (then: Tally) => boolean {
  if (to === 'down') return (then) => then.failing >= then.quorum;
  if (state.status === 'down') {
    // Leaving down: a quorum that does not fail, or all that do not where they are fewer (half of an even number).
    const current = tally(histories.map((history) => history[0]?.verdict ?? null));
    const needed = Math.min(current.quorum, current.withVerdict - current.failing);
    return (then) => then.withVerdict - then.failing >= needed;
  }
  return (then) => then.withVerdict >= then.quorum && pictureOf(then) === to;
}
