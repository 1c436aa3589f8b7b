import { judgeMembers } from '@/lib/state/groups/judge-group';
import type { MemberRule, MemberState } from '@/lib/state/types';
import type { CorrectedPeriod, Ledger } from '../history/periods';
import { momentsOf, walkPeriods } from '../history/walk-periods';
import { applyCorrections } from './apply-corrections';

/** What a group can follow its members in; what is paused, pending or in maintenance is so by itself. */
const FOLLOWING: readonly MemberState[] = ['operational', 'degraded', 'down', 'unknown'];

/**
 * What the corrections of members make of a group: where any of them is corrected, what they amount to by the rule as it is now, unless the group was
 * that. Its own corrections win. Oldest first, without overlaps.
 */
export function deriveCorrections(
  rule: MemberRule,
  members: readonly Ledger[],
  { measured, corrections }: Ledger,
): CorrectedPeriod[] {
  const given = members.flatMap((member) => member.corrections);
  if (given.length === 0) return [];
  const states = members.map((member) => walkPeriods(applyCorrections(member.measured, member.corrections)));
  const group = walkPeriods(measured);
  const own = walkPeriods(corrections);
  const corrected = walkPeriods(joinOverlapping(given));
  const periods = [measured, ...members.map((member) => member.measured)].flat();
  const moments = momentsOf([...given, ...corrections, ...periods]);
  const derived: CorrectedPeriod[] = [];
  for (const [place, at] of moments.entries()) {
    const to = moments[place + 1];
    // Each is asked for every moment, in order.
    const [is, isOwn, isCorrected] = [group(at), own(at) !== null, corrected(at) !== null];
    const found = states.map((stateAt) => stateAt(at) ?? 'pending');
    if (!to || !isCorrected || isOwn || is === null || !FOLLOWING.includes(is)) continue;
    const would = judgeMembers(rule, found).status;
    if (would === is) continue;
    const last = derived.at(-1);
    if (last?.state === would && last.to.getTime() === at) last.to = new Date(to);
    else derived.push({ state: would, from: new Date(at), to: new Date(to) });
  }
  return derived;
}

/** Times that are covered by any of these. */
function joinOverlapping(given: readonly CorrectedPeriod[]): CorrectedPeriod[] {
  const joined: CorrectedPeriod[] = [];
  for (const each of given.toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
    const last = joined.at(-1);
    if (last && each.from <= last.to) last.to = new Date(Math.max(each.to.getTime(), last.to.getTime()));
    else joined.push({ ...each });
  }
  return joined;
}
