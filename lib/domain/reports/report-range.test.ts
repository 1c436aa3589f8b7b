import { describe, expect, it } from 'vitest';
import { reportRange } from './report-range';

const NOW = new Date('2026-11-25T09:30:00.000Z');
const UTC = { timeZone: 'UTC' };
const rangeOf = (query: Partial<Parameters<typeof reportRange>[0]>) => {
  const { from, to, until } = reportRange({ ...UTC, ...query }, NOW);
  return [from, to, until].map((at) => at.toISOString());
};

describe('a report covers', () => {
  it('the last month that has ended, unless a month or days are given', () => {
    const october = ['2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'];
    expect(rangeOf({})).toEqual(october);
    expect(rangeOf({ month: '2026-10' })).toEqual(october);
    expect(rangeOf({ from: '2026-10-01', to: '2026-10-31' })).toEqual(october);
    expect(rangeOf({ month: '2026-02' }).slice(0, 2)).toEqual([
      '2026-02-01T00:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
    ]);
  });

  it('what has passed of a month that has begun', () => {
    expect(rangeOf({ month: '2026-11' })).toEqual([
      '2026-11-01T00:00:00.000Z',
      '2026-12-01T00:00:00.000Z',
      NOW.toISOString(),
    ]);
  });

  it('days up to yesterday, unless the last one is given', () => {
    expect(rangeOf({ from: '2026-11-20' })[1]).toBe('2026-11-25T00:00:00.000Z');
    expect(rangeOf({ from: '2026-11-25', to: '2026-11-25' })[1]).toBe('2026-11-26T00:00:00.000Z');
  });

  it('days as clocks show them, of 23 or 25 hours when clocks change', () => {
    const [from, to] = rangeOf({ month: '2026-10', timeZone: 'Europe/Berlin' });
    expect([from, to]).toEqual(['2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z']);
    const hours = (day: string) => {
      const [first, last] = rangeOf({ from: day, to: day, timeZone: 'Europe/Berlin' }).map(Date.parse);
      return ((last ?? 0) - (first ?? 0)) / 3_600_000;
    };
    expect([hours('2026-03-29'), hours('2026-10-24'), hours('2026-10-25')]).toEqual([23, 24, 25]);
  });

  it('the month of its time zone, not of UTC', () => {
    const now = new Date('2026-10-31T23:30:00.000Z');
    const from = (timeZone: string) => reportRange({ timeZone }, now).from.toISOString();
    expect(from('UTC')).toBe('2026-09-01T00:00:00.000Z');
    expect(from('Europe/Berlin')).toBe('2026-09-30T22:00:00.000Z');
  });
});

describe('a report rejects', () => {
  it.each([
    ['a month with days', { month: '2026-10', from: '2026-10-01' }, 'month'],
    ['a last day without the first', { to: '2026-10-01' }, 'from'],
    ['a last day before the first', { from: '2026-10-02', to: '2026-10-01' }, 'to'],
    ['a month in the future', { month: '2026-12' }, 'month'],
    ['a day in the future', { from: '2026-11-26', to: '2026-11-27' }, 'from'],
    ['today without a last day, which would be yesterday', { from: '2026-11-25' }, 'from'],
    ['what the ledger no longer has', { from: '2025-10-20', to: '2025-10-31' }, 'from'],
  ])('%s', (_, query, path) => {
    expect(() => reportRange({ ...UTC, ...query }, NOW)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path })] }),
    );
  });
});
