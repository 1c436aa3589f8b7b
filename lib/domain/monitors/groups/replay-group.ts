import { explainGroup } from '@/lib/state/groups/explain-group';
import { judgeMembers } from '@/lib/state/groups/judge-group';
import type { Replayed, ReplayedAlert } from '@/lib/state/replay';
import type { GroupMember, MemberRule } from '@/lib/state/types';
import type { Period } from '../history/periods';
import { momentsOf, walkPeriods } from '../history/walk-periods';

/** The ledger of a member, with its name. */
export type NamedLedger = { name: string; periods: readonly Period[] };
type Times = { from: number; to: number };

/**
 * What a group would have been by a rule, from what its members were, in epoch milliseconds. While it was paused, pending or in maintenance by itself, it is
 * nothing. Alerts are dated by the members that tipped it, and decided at once.
 */
export function replayGroup(
  rule: MemberRule,
  members: readonly NamedLedger[],
  own: readonly Period[],
  { from, to }: Times,
): Replayed {
  const group = walkPeriods(own);
  const states = members.map(({ periods }) => walkPeriods(periods));
  const within = momentsOf([own, ...members.map(({ periods }) => periods)].flat());
  const moments = [from, ...within.filter((at) => at > from && at < to)];
  const alerts: ReplayedAlert[] = [];
  const spent = { operational: 0, degraded: 0, down: 0 };
  let status: keyof typeof spent | null = null;
  const end = (at: number) => {
    const last = alerts.at(-1);
    if (last && last.until === null) last.until = at;
  };
  for (const [place, at] of moments.entries()) {
    const found = states.map((stateAt) => stateAt(at) ?? 'pending');
    const is = group(at);
    if (is === null || is === 'paused' || is === 'maintenance' || is === 'pending') {
      end(at);
      status = null;
      continue;
    }
    const judged = judgeMembers(rule, found).status;
    // The alert stays, and nothing is known of this time.
    if (judged === 'unknown') continue;
    if (judged !== status) end(at);
    if (judged !== status && judged !== 'operational') {
      const now = members.map(({ name }, index): GroupMember => {
        return { name, periods: [{ state: found[index] ?? 'pending', from: at }], isCut: false };
      });
      alerts.push({ status: judged, since: at, decidedAt: at, until: null, reason: explainGroup(rule, now) });
    }
    status = judged;
    spent[judged] += (moments[place + 1] ?? to) - at;
  }
  return { alerts, downMs: spent.down, degradedMs: spent.degraded, estimated: 0 };
}
