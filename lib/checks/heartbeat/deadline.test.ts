import { describe, expect, it } from 'vitest';
import { findCronProblem, nextRun } from './cron';
import {
  type CallPlan,
  deadlineAfter,
  extendDeadline,
  listExpected,
  missedUntil,
  runDeadline,
} from './deadline';

const at = (text: string) => Date.parse(`${text}Z`);
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString().slice(0, 19));

const HOURLY: CallPlan = { period: 3600, schedule: null, grace: 300 };
const NIGHTLY: CallPlan = {
  period: null,
  schedule: { cron: '30 3 * * *', timeZone: 'Europe/Berlin' },
  grace: 600,
};

it.each([
  [HOURLY, ['2026-03-02T13:00:00', '2026-03-02T14:00:00', '2026-03-02T15:00:00']],
  [NIGHTLY, ['2026-03-03T02:30:00', '2026-03-04T02:30:00', '2026-03-05T02:30:00']],
  [{ ...HOURLY, period: null }, []],
])('the next calls by %j are expected at %j', (plan, times) => {
  expect(listExpected(plan, at('2026-03-02T12:00:00'), 3).map(iso)).toEqual(times);
});

describe('a cron expression', () => {
  it.each(['* * * * *', '*/5 0-6 1,15 * MON-FRI', '0 0 29 2 *', '0 3 L * *', '30 3 * * 7'])(
    '%s is valid',
    (cron) => {
      expect(findCronProblem(cron)).toBeNull();
    },
  );

  it.each([
    ['', /five fields/],
    ['* * * *', /five fields/],
    ['* * * * * *', /five fields/],
    ['@daily', /five fields/],
    ['2026-01-01T00:00:00Z', /five fields/],
    ['60 * * * *', /valid cron/],
    ['a b c d e', /valid cron/],
    ['0 0 30 2 *', /time that exists/],
    ['0 0 31 4,6,9,11 *', /time that exists/],
  ])('%s is rejected', (cron, problem) => {
    expect(findCronProblem(cron)).toMatch(problem);
  });

  it.each([
    // Clocks go forward from 02:00 to 03:00, at 01:00 UTC: the skipped run happens then.
    ['30 2 * * *', '2026-03-28T12:00:00', ['2026-03-29T01:00:00', '2026-03-30T00:30:00']],
    // Clocks go back from 03:00 to 02:00, at 01:00 UTC: the repeated run happens once.
    ['30 2 * * *', '2026-10-24T12:00:00', ['2026-10-25T00:30:00', '2026-10-26T01:30:00']],
    ['30 3 * * *', '2026-10-24T12:00:00', ['2026-10-25T02:30:00', '2026-10-26T02:30:00']],
  ])('%s follows local time across daylight saving changes, after %s', (cron, after, runs) => {
    let moment = at(after);
    for (const expected of runs) {
      moment = nextRun({ cron, timeZone: 'Europe/Berlin' }, moment) ?? 0;
      expect(iso(moment)).toBe(expected);
    }
  });

  it('with an unknown time zone never runs', () => {
    expect(nextRun({ cron: '* * * * *', timeZone: 'Mars/Olympus' }, 0)).toBeNull();
  });
});

describe('a deadline', () => {
  it('is a period and the grace after a call', () => {
    expect(iso(deadlineAfter(HOURLY, at('2026-03-01T12:00:00')))).toBe('2026-03-01T13:05:00');
  });

  it('is the grace after the next run of a schedule', () => {
    expect(iso(deadlineAfter(NIGHTLY, at('2026-03-01T12:00:00')))).toBe('2026-03-02T02:40:00');
  });

  it('is that of the next run for a job whose clock is some seconds ahead', () => {
    expect(iso(deadlineAfter(NIGHTLY, at('2026-03-02T02:29:45')))).toBe('2026-03-03T02:40:00');
  });

  it('of a run whose start was reported is the grace after it, and at least a minute', () => {
    expect(iso(runDeadline(HOURLY, at('2026-03-01T12:00:00')))).toBe('2026-03-01T12:05:00');
    expect(iso(runDeadline({ ...HOURLY, grace: 0 }, at('2026-03-01T12:00:00')))).toBe('2026-03-01T12:01:00');
  });

  it('does not exist without a period or schedule', () => {
    expect(deadlineAfter({ period: null, schedule: null, grace: 0 }, 0)).toBeNull();
  });
});

describe('missed deadlines', () => {
  const missed = (plan: CallPlan, deadline: string, now: string) => {
    const found = missedUntil(plan, at(deadline), at(now));
    return { missed: found.missed.map(iso), next: iso(found.next) };
  };

  it('are one per period', () => {
    expect(missed(HOURLY, '2026-03-01T13:05:00', '2026-03-01T13:05:00')).toEqual({
      missed: ['2026-03-01T13:05:00'],
      next: '2026-03-01T14:05:00',
    });
    expect(missed(HOURLY, '2026-03-01T13:05:00', '2026-03-01T15:00:00').missed).toHaveLength(2);
  });

  it('are one per run of a schedule', () => {
    expect(missed(NIGHTLY, '2026-03-02T02:40:00', '2026-03-03T12:00:00')).toEqual({
      missed: ['2026-03-02T02:40:00', '2026-03-03T02:40:00'],
      next: '2026-03-04T02:40:00',
    });
  });

  it('are at most ten, and the next one is ahead', () => {
    const year = missed(
      { period: 60, schedule: null, grace: 0 },
      '2026-01-01T00:00:00',
      '2027-01-01T00:00:00',
    );
    expect(year.missed).toHaveLength(10);
    expect(year.next).toBe('2027-01-01T00:01:00');
    const plan = { period: null, schedule: { cron: '* * * * *', timeZone: 'UTC' }, grace: 30 };
    expect(missed(plan, '2026-01-01T00:00:30', '2027-01-01T00:00:00')).toMatchObject({
      next: '2027-01-01T00:00:30',
    });
  });
});

describe('a gap in which no call could be received', () => {
  const extended = (plan: CallPlan, [deadline, setAt]: [string, string], ...gaps: [string, string][]) =>
    iso(
      extendDeadline(
        plan,
        { at: at(deadline), setAt: at(setAt) },
        gaps.map(([from, to]) => ({ from: at(from), to: at(to) })),
      ),
    );
  const SET: [string, string] = ['2026-03-01T13:05:00', '2026-03-01T12:00:00'];

  it.each([
    ['moves the deadline by its length', '2026-03-01T12:10:00', '2026-03-01T12:20:00', '2026-03-01T13:15:00'],
    [
      'in which a call was expected begins a period',
      '2026-03-01T12:59:00',
      '2026-03-01T13:01:00',
      '2026-03-01T14:06:00',
    ],
    [
      'shortly before, as well: runs differ in length',
      '2026-03-01T12:50:00',
      '2026-03-01T12:56:00',
      '2026-03-01T14:01:00',
    ],
    [
      'until long after the deadline begins a period',
      '2026-03-01T12:10:00',
      '2026-03-01T18:00:00',
      '2026-03-01T19:05:00',
    ],
    [
      'before the deadline was set does not matter',
      '2026-03-01T11:00:00',
      '2026-03-01T11:30:00',
      '2026-03-01T13:05:00',
    ],
    [
      'while it was set counts from then on',
      '2026-03-01T11:50:00',
      '2026-03-01T12:10:00',
      '2026-03-01T13:15:00',
    ],
    [
      'after the deadline does not matter',
      '2026-03-01T13:05:00',
      '2026-03-01T14:00:00',
      '2026-03-01T13:05:00',
    ],
  ])('%s', (_, from, to, expected) => {
    expect(extended(HOURLY, SET, [from, to])).toBe(expected);
  });

  it('adds up with others', () => {
    const gaps: [string, string][] = [
      ['2026-03-01T12:30:00', '2026-03-01T12:40:00'],
      ['2026-03-01T12:10:00', '2026-03-01T12:20:00'],
    ];
    expect(extended(HOURLY, SET, ...gaps)).toBe('2026-03-01T13:25:00');
  });

  it('around a run of a schedule lets the next one be awaited', () => {
    const set: [string, string] = ['2026-03-02T02:40:00', '2026-03-01T02:30:10'];
    expect(extended(NIGHTLY, set, ['2026-03-02T02:29:00', '2026-03-02T02:35:00'])).toBe(
      '2026-03-03T02:40:00',
    );
    expect(extended(NIGHTLY, set, ['2026-03-01T12:00:00', '2026-03-01T12:05:00'])).toBe(
      '2026-03-02T02:45:00',
    );
  });
});
