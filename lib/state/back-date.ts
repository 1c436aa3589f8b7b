import { type Picture, pictureOf } from './picture';
import { verdictChanges } from './region';
import type { MonitorState, RegionState, Verdict } from './types';
import { type Tally, tally } from './votes';

/**
 * When a change to `to` that is decided at `now` began: the earliest moment since which, told with hindsight (every
 * verdict counts from the first check of the run that caused it), the reason for the change has held. That is the q-th
 * earliest start of the regions that caused it, or the earliest where one region suffices. Never before known time, a
 * lost vote, or the start of the present status. `regions` are those that count.
 */
export function backDate(
  state: MonitorState,
  to: Picture,
  regions: readonly RegionState[],
  now: number,
): number {
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
