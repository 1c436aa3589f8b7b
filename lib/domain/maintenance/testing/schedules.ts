import { listOccurrences, nextOccurrence, type Schedule } from '../occurrences';

const MINUTE = 60_000;

export function schedule(
  start: string,
  rrule: string | null,
  { minutes = 60, timeZone = 'UTC' } = {},
): Schedule {
  const startsAt = new Date(start);
  return { startsAt, endsAt: new Date(startsAt.getTime() + minutes * MINUTE), rrule, timeZone };
}

export const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The CPU time of this process, in milliseconds, to find occurrences of a rule. */
export function measureCost(rrule: string, timeZone: string): number {
  const hostile = schedule('2027-01-10T10:00:00Z', rrule, { timeZone });
  const begun = process.cpuUsage();
  nextOccurrence(hostile, new Date('2036-01-01'));
  listOccurrences(hostile, 100);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
