import type { Observations } from '../observations';

/** A promise that a run broke, with the smallest history that shows it. */
export type Violation = {
  rule: string;
  /** The ID of what it is about. */
  object: string;
  message: string;
  history: string[];
  /** It came too late, which at a factor above 1 can be the machine's doing: see `choosePaceAfter`. */
  dependsOnPace?: true;
};

export type Rule = (seen: Observations) => Violation[];

/**
 * How long after a fault its effects may last, in virtual milliseconds: a dead worker loses its shards after 10 s and its claims
 * after 12 s, another takes over, a database recovers, and a process starts; with room for the real time that a start takes.
 */
export const RECOVERY_MS = 120_000;

/** Whether a fault, or the recovery from it, overlaps a span of time. */
export function isDisturbed({ faults, startedAt }: Observations, from: number, to: number): boolean {
  // The start of everything is a fault like any other.
  if (from < startedAt + RECOVERY_MS) return true;
  return faults.some((fault) => fault.from <= to && from <= fault.to + RECOVERY_MS);
}

/** How many milliseconds of a span lie within faults and the recovery from them. */
export function disturbedMs({ faults, startedAt }: Observations, from: number, to: number): number {
  const spans = [{ from: startedAt, to: startedAt }, ...faults].toSorted((a, b) => a.from - b.from);
  let [sum, counted] = [0, from];
  for (const span of spans) {
    const begin = Math.max(counted, span.from);
    const end = Math.min(to, span.to + RECOVERY_MS);
    sum += Math.max(0, end - begin);
    counted = Math.max(counted, end);
  }
  return sum;
}

/** A moment as seconds since the start, for histories. */
export function formatMoment({ startedAt }: Pick<Observations, 'startedAt'>, at: number): string {
  return `${((at - startedAt) / 1000).toFixed(1)} s`;
}

/** The values by key, in order. */
export function groupBy<Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => string,
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
