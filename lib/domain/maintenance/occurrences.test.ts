import { describe, expect, it } from 'vitest';
import { listOccurrences, nextOccurrence, type Schedule } from './occurrences';
import { expectAffordable, numbers, schedule } from './testing/schedules';

/** The starts as the engine finds them: each query reads the occurrence that ends after the previous one. */
function follow(window: Schedule, count: number): string[] {
  const starts: string[] = [];
  let after = new Date(0);
  while (starts.length < count) {
    const next = nextOccurrence(window, after);
    if (next === null) break;
    expect(next.endsAt.getTime() - next.startsAt.getTime()).toBe(
      window.endsAt.getTime() - window.startsAt.getTime(),
    );
    starts.push(next.startsAt.toISOString());
    after = next.endsAt;
  }
  expect(listOccurrences(window, count).map(({ startsAt }) => startsAt.toISOString())).toEqual(starts);
  return starts;
}

describe('a window without a rule', () => {
  it('occurs once, until it ends', () => {
    const once = schedule('2027-01-10T10:00:00.500Z', null);
    const only = { startsAt: once.startsAt, endsAt: once.endsAt };
    expect(nextOccurrence(once, new Date('2026-01-01'))).toEqual(only);
    expect(nextOccurrence(once, new Date(once.endsAt.getTime() - 1))).toEqual(only);
    expect(nextOccurrence(once, once.endsAt)).toBeNull();
  });
});

describe('a window that repeats', () => {
  it('follows its rule, even years later', () => {
    const nightly = schedule('2027-01-10T22:00:00.250Z', 'FREQ=DAILY');
    expect(nextOccurrence(nightly, new Date('2047-05-05T22:59:59Z'))?.startsAt).toEqual(
      new Date('2047-05-05T22:00:00.250Z'),
    );
    expect(nextOccurrence(nightly, new Date('2047-05-05T23:00:01Z'))?.startsAt).toEqual(
      new Date('2047-05-06T22:00:00.250Z'),
    );
    const hourly = schedule('2027-01-10T22:10:00Z', 'FREQ=HOURLY;INTERVAL=5', { minutes: 10 });
    expect(nextOccurrence(hourly, new Date('2037-01-10T00:00:00Z'))?.startsAt).toEqual(
      new Date('2037-01-10T00:10:00.000Z'),
    );
  });

  it.each([
    ['FREQ=DAILY;COUNT=2', ['2027-01-31T09:00:00.000Z', '2027-02-01T09:00:00.000Z']],
    ['FREQ=DAILY;UNTIL=20270201T085959Z', ['2027-01-31T09:00:00.000Z']],
    ['FREQ=DAILY;UNTIL=20270201T090000Z', ['2027-01-31T09:00:00.000Z', '2027-02-01T09:00:00.000Z']],
    ['UNTIL=20270201;FREQ=DAILY', ['2027-01-31T09:00:00.000Z', '2027-02-01T09:00:00.000Z']],
    [
      'FREQ=MONTHLY;COUNT=3',
      ['2027-01-31T09:00:00.000Z', '2027-03-31T09:00:00.000Z', '2027-05-31T09:00:00.000Z'],
    ],
  ])('%s ends', (rrule, starts) => {
    expect(follow(schedule('2027-01-31T09:00:00Z', rrule), 10)).toEqual(starts);
  });

  it('starts at its start time, even if the rule does not match it', () => {
    expect(follow(schedule('2027-01-06T09:00:00Z', 'FREQ=WEEKLY;BYDAY=MO'), 3)).toEqual([
      '2027-01-06T09:00:00.000Z',
      '2027-01-11T09:00:00.000Z',
      '2027-01-18T09:00:00.000Z',
    ]);
  });

  it('supports weekdays, the last of a month and every other week', () => {
    expect(follow(schedule('2027-01-29T09:00:00Z', 'FREQ=MONTHLY;BYDAY=-1FR'), 3)).toEqual([
      '2027-01-29T09:00:00.000Z',
      '2027-02-26T09:00:00.000Z',
      '2027-03-26T09:00:00.000Z',
    ]);
    expect(follow(schedule('2027-01-05T09:00:00Z', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH'), 4)).toEqual([
      '2027-01-05T09:00:00.000Z',
      '2027-01-07T09:00:00.000Z',
      '2027-01-19T09:00:00.000Z',
      '2027-01-21T09:00:00.000Z',
    ]);
  });
});

describe('across a daylight saving change', () => {
  it.each([
    // Forward at 02:00 on 28 March 2027, back at 03:00 on 31 October.
    [
      'Europe/Berlin',
      '2027-03-27T08:00:00Z',
      ['2027-03-27T08:00', '2027-03-28T07:00', '2027-03-29T07:00'],
      'stays at nine in the morning',
    ],
    [
      'Europe/Berlin',
      '2027-03-27T01:30:00Z',
      ['2027-03-27T01:30', '2027-03-28T01:30', '2027-03-29T00:30'],
      'moves from 02:30, which is skipped, to 03:30 on that day alone',
    ],
    [
      'Europe/Berlin',
      '2027-10-30T00:30:00Z',
      ['2027-10-30T00:30', '2027-10-31T00:30', '2027-11-01T01:30'],
      'takes the first of two 02:30',
    ],
    [
      'Europe/Berlin',
      '2027-10-31T01:30:00Z',
      ['2027-10-31T01:30', '2027-11-01T01:30', '2027-11-02T01:30'],
      'starts at the second of two 02:30 if specified',
    ],
    // Forward at 02:00 on 14 March 2027, back at 02:00 on 7 November.
    [
      'America/New_York',
      '2027-03-13T07:30:00Z',
      ['2027-03-13T07:30', '2027-03-14T07:30', '2027-03-15T06:30'],
      'moves from 02:30, which is skipped, to 03:30 on that day alone',
    ],
    [
      'America/New_York',
      '2027-11-06T05:30:00Z',
      ['2027-11-06T05:30', '2027-11-07T05:30', '2027-11-08T06:30'],
      'takes the first of two 01:30',
    ],
  ])('a daily window in %s from %s on is at %j: %s', (timeZone, start, starts) => {
    expect(follow(schedule(start, 'FREQ=DAILY', { timeZone }), 3)).toEqual(
      starts.map((at) => `${at}:00.000Z`),
    );
  });

  it('an hourly window follows local time: once in an hour that occurs twice', () => {
    const from = (start: string) =>
      follow(schedule(start, 'FREQ=HOURLY', { minutes: 10, timeZone: 'Europe/Berlin' }), 4).map((at) =>
        at.slice(11, 16),
      );
    expect(from('2027-03-27T23:10:00Z')).toEqual(['23:10', '00:10', '01:10', '02:10']);
    expect(from('2027-10-30T23:10:00Z')).toEqual(['23:10', '00:10', '02:10', '03:10']);
  });

  it('UNTIL without a Z is in local time', () => {
    const at = (until: string) =>
      follow(schedule('2027-07-01T07:00:00Z', `FREQ=DAILY;UNTIL=${until}`, { timeZone: 'Europe/Berlin' }), 5);
    expect(at('20270702T090000')).toHaveLength(2);
    expect(at('20270702T085959')).toHaveLength(1);
    expect(at('20270702')).toHaveLength(2);
    expect(at('20270702T070000Z')).toHaveLength(2);
  });
});

// More of them, in two time zones: occurrences.thorough.test.ts.
describe('a rule designed to take forever', () => {
  it.each([
    'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=29;BYDAY=9SU',
    `FREQ=HOURLY;BYYEARDAY=366;BYHOUR=${numbers(0, 23)};BYSETPOS=2`,
  ])('%s is resolved or abandoned quickly', (rrule) => {
    expectAffordable(rrule, 'Europe/Berlin');
  });
});
