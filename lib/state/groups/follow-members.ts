import type { AggregateStatus } from '../decide-status';
import { enterStatus, eventFor, settleStatus } from '../enter-status';
import { leaveUnknown, stopDownClock } from '../silence';
import {
  GROUP_REGION,
  type MembersInput,
  type MonitorState,
  type StateConfig,
  type StateTransition,
  type StatusEffect,
} from '../types';
import { explainGroup, NO_MEMBER_COUNTS } from './explain-group';
import { dateJudgment, type Judgment, judgeNow } from './judge-group';

/**
 * The state of a group that follows its members. It is taken over at once, as the status of each member was confirmed, and dated by the member
 * that tipped it. Returns the same state if nothing changes.
 */
export function followMembers(
  config: Pick<StateConfig, 'configVersion'>,
  before: MonitorState,
  input: MembersInput,
  now: number,
): StateTransition {
  const { members, notBefore } = input;
  // A later change may be dated back, but not to another rule or other members.
  const state = notBefore > before.floor ? { ...before, floor: Math.min(now, notBefore) } : before;
  const judged = judgeNow(input.rule, members);
  const isUnknown = state.unknownSince !== null;
  const floor = Math.max(state.floor, state.unknownSince ?? 0);
  const date = () => Math.min(now, Math.max(floor, dateJudgment(input.rule, members, now).since));
  if (judged.status === 'unknown') {
    // Pending already is unknown.
    return isUnknown || state.status === 'pending' ? { state, effects: [] } : loseMembers(state, date());
  }
  if (!isUnknown && judged.status === state.status) return { state, effects: [] };
  const since = date();
  const left = leaveUnknown(state, since);
  const rule = explainGroup(input.rule, members);
  const known = { ...left, effects: left.effects.map((effect) => ({ ...effect, rule })) };
  if (judged.status === state.status) return known;
  const changed = changeStatus(config, known.state, { input, judged, to: judged.status, since, now });
  return { state: changed.state, effects: [...known.effects, ...changed.effects] };
}

/** Whether more of the past of members is needed to date what follows from them. */
export function isCutShort(
  state: MonitorState,
  { rule, members, notBefore }: MembersInput,
  now: number,
): boolean {
  if (!members.some(({ isCut }) => isCut)) return false;
  const { since, isCut } = dateJudgment(rule, members, now);
  return isCut && since > Math.max(state.floor, state.unknownSince ?? 0, notBefore);
}

function loseMembers(state: MonitorState, from: number): StateTransition {
  return {
    state: { ...stopDownClock(state, from), unknownSince: from },
    effects: [{ kind: 'unknown', from, rule: NO_MEMBER_COUNTS }],
  };
}

type Change = { input: MembersInput; judged: Judgment; to: AggregateStatus; since: number; now: number };

function changeStatus(
  { configVersion }: Pick<StateConfig, 'configVersion'>,
  state: MonitorState,
  { input: { rule, members }, judged, to, since, now }: Change,
): StateTransition {
  const event = eventFor(state, to);
  const consecutiveFailures = to === 'down' ? 1 : 0;
  const entered = { ...enterStatus(state, to, since), consecutiveFailures };
  const why = explainGroup(rule, members);
  const effect: StatusEffect = {
    kind: 'status',
    from: state.status,
    to,
    at: now,
    since,
    why: { rule: why, regions: [], voting: judged.counting, quorum: judged.needed, configVersion },
    event,
    region: GROUP_REGION,
    details: {
      consecutiveFailures,
      responseTime: null,
      statusCode: null,
      errorMessage: to === 'operational' ? null : why,
    },
    downSince: entered.downSince,
    downtimeMs: entered.downMs,
  };
  return { state: settleStatus(entered, to, event), effects: [effect] };
}
