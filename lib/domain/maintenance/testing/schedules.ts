import { expect } from 'vitest';
import { leastCpu } from '@/lib/testing/cpu';
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

/** The most that a rule may cost, by what an ordinary one costs: the whole search of a rule in hours. */
const MOST = 4;
let ordinary: number | undefined;

/** Finds occurrences of a rule. Fails if that takes far more of the processor than an ordinary rule. */
export function expectAffordable(rrule: string, timeZone: string): void {
  const hostile = schedule('2027-01-10T10:00:00Z', rrule, { timeZone });
  const hourly = schedule('2027-01-10T10:00:00Z', 'FREQ=HOURLY', { timeZone: 'Europe/Berlin' });
  ordinary ??= leastCpu(() => void listOccurrences(hourly, 3000), 0);
  const search = () => {
    nextOccurrence(hostile, new Date('2036-01-01'));
    listOccurrences(hostile, 100);
  };
  const limit = MOST * ordinary;
  expect(leastCpu(search, limit)).toBeLessThan(limit);
}
