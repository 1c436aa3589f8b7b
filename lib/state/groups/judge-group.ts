import type { GroupMember, MemberRule, MemberState, MonitorStatus } from '../types';

/** What members amount to: how many of them count, how many of these are up, and must be. */
export type Judgment = {
  status: Exclude<MonitorStatus, 'pending'> | 'unknown';
  counting: number;
  up: number;
  needed: number;
};

/**
 * What a group is, by the states of its members. Degraded ones count as up and make it degraded; only those that are known to be up or down
 * count, and no more of them must be up than count. Without any, nothing is known.
 */
export function judgeMembers(rule: MemberRule, states: readonly MemberState[]): Judgment {
  const count = (wanted: MemberState) => states.filter((state) => state === wanted).length;
  const degraded = count('degraded');
  const up = count('operational') + degraded;
  const counting = up + count('down');
  const needed = neededOf(rule, counting);
  const status =
    counting === 0 ? 'unknown' : up < needed ? 'down' : degraded > 0 ? 'degraded' : 'operational';
  return { status, counting, up, needed };
}

function neededOf({ memberRule, memberMinimum }: MemberRule, counting: number): number {
  // A rule without its number asks for as little as it can.
  const minimum = memberMinimum ?? 1;
  switch (memberRule) {
    case 'all':
      return counting;
    case 'any':
      return Math.min(1, counting);
    case 'count':
      return Math.min(minimum, counting);
    case 'share':
      return Math.min(Math.ceil((minimum * counting) / 100), counting);
  }
}

/** The state of a member at a moment. */
function stateAt({ periods }: GroupMember, moment: number): MemberState {
  return periods.find(({ from }) => from <= moment)?.state ?? 'pending';
}

/** What a group is now. */
export function judgeNow(rule: MemberRule, members: readonly GroupMember[]): Judgment {
  return judgeMembers(
    rule,
    members.map(({ periods: [current] }) => current?.state ?? 'pending'),
  );
}

/** Since when a group is what it is. `isCut`: perhaps earlier, but what is known of a member begins there. */
type Dated = { since: number; isCut: boolean };

/**
 * Since when a group has been what it is now, in hindsight: the start of the period of the member that tipped it. Not after `now`, in epoch
 * milliseconds.
 */
export function dateJudgment(rule: MemberRule, members: readonly GroupMember[], now: number): Dated {
  const { status } = judgeNow(rule, members);
  const known = members.map(({ isCut, periods }) => (isCut ? periods.at(-1)?.from : undefined) ?? 0);
  const horizon = Math.max(0, ...known);
  const starts = members.flatMap(({ periods }) => periods.map(({ from }) => from));
  let since = now;
  for (const start of [...new Set(starts)].sort((a, b) => b - a)) {
    if (start < horizon) return { since, isCut: true };
    const states = members.map((member) => stateAt(member, start));
    if (judgeMembers(rule, states).status !== status) return { since, isCut: false };
    since = Math.min(now, start);
  }
  return { since, isCut: horizon > 0 && since >= horizon };
}
