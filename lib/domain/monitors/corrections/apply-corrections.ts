import type { CorrectedPeriod, Period } from '../history/periods';

/**
 * The periods of a ledger with the corrections over it, oldest first and without gaps, as the periods are. Corrections do not overlap;
 * what they say of times without a ledger does not count.
 */
export function applyCorrections(
  periods: readonly Period[],
  corrections: readonly CorrectedPeriod[],
): Period[] {
  if (corrections.length === 0) return [...periods];
  const ordered = corrections.toSorted((a, b) => a.from.getTime() - b.from.getTime());
  const oldestFirst = periods.toSorted((a, b) => a.from.getTime() - b.from.getTime());
  return joinEqual(oldestFirst.flatMap((period) => cover(period, ordered)));
}

/** The parts of a period: those that are corrected, and those between. */
function cover(period: Period, corrections: readonly CorrectedPeriod[]): Period[] {
  const end = period.to?.getTime() ?? Number.POSITIVE_INFINITY;
  const parts: Period[] = [];
  let at = period.from;
  for (const { state, from, to } of corrections) {
    if (to.getTime() <= at.getTime() || from.getTime() >= end) continue;
    if (from > at) parts.push({ state: period.state, from: at, to: from });
    const until = new Date(Math.min(to.getTime(), end));
    parts.push({ state, from: new Date(Math.max(from.getTime(), at.getTime())), to: until });
    at = until;
  }
  if (period.to === null || at < period.to || parts.length === 0) parts.push({ ...period, from: at });
  return parts;
}

/** One period for neighbors in the same state: an outage that a correction covers in part is still one. */
function joinEqual(periods: readonly Period[]): Period[] {
  const joined: Period[] = [];
  for (const period of periods) {
    const last = joined.at(-1);
    if (last?.state === period.state && last.to?.getTime() === period.from.getTime()) {
      joined[joined.length - 1] = { ...last, to: period.to };
    } else joined.push(period);
  }
  return joined;
}
