import type { Period } from './periods';

/** The starts and ends of periods in epoch milliseconds, each once and in order. */
export function momentsOf(periods: readonly Pick<Period, 'from' | 'to'>[]): number[] {
  const all = periods.flatMap(({ from, to }) => [from.getTime(), ...(to ? [to.getTime()] : [])]);
  return [...new Set(all)].sort((a, b) => a - b);
}

/** Returns what tells the state at a moment, in epoch milliseconds, or null if no period has it. It is asked for moments in ascending order. */
export function walkPeriods(periods: readonly Period[]): (at: number) => Period['state'] | null {
  const lasting = periods
    .filter(({ from, to }) => to === null || to > from)
    .toSorted((a, b) => a.from.getTime() - b.from.getTime());
  let place = 0;
  return (at) => {
    while ((lasting[place]?.to?.getTime() ?? Number.POSITIVE_INFINITY) <= at) place += 1;
    const period = lasting[place];
    return period && period.from.getTime() <= at ? period.state : null;
  };
}
