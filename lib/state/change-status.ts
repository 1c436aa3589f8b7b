import { backDate } from './back-date';
import { describeCause, explainChange } from './explain';
import { stopDownClock } from './known-time';
import { decide, type Picture } from './picture';
import type { MonitorEvent, MonitorState, RegionState, StateConfig, StatusEffect } from './types';
import { listVotes, type Tally, votersOf } from './votes';

type Change = { state: MonitorState; effects: StatusEffect[] };

/**
 * Takes over the status that the votes show, if it is time to. `regions` are those that count, `reporter` is the one that
 * brought the result.
 */
export function changeStatus(
  config: StateConfig,
  state: MonitorState,
  { regions, reporter, now }: { regions: readonly RegionState[]; reporter: string | null; now: number },
): Change {
  const decision = decide(state, regions);
  const speaker = decision && findSpokesman(state, decision.to, decision.votes, reporter);
  if (!decision || !speaker) return { state, effects: [] };

  const { to, votes } = decision;
  const [region, spokesman] = speaker;
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
      rule: explainChange({ config, from: state.status, to, votes, consecutiveFailures, spokesman, region }),
      regions: listVotes(config, state),
      voting: votes.voting,
      quorum: votes.quorum,
      configVersion: config.configVersion,
    },
    event,
    region,
    details: {
      consecutiveFailures,
      responseTime: spokesman.latest?.responseTime ?? null,
      statusCode: spokesman.latest?.statusCode ?? null,
      errorMessage: to === 'operational' ? null : describeCause(config, spokesman),
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
function findSpokesman(
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
