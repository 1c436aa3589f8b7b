import { describe, expect, it } from 'vitest';
import type { Backtest } from '@/lib/schemas/backtest';
import { describeBacktest } from './backtest-text';

const outcome = (down: number, degraded = 0) => ({ down, degraded, downtime: 0, degradedTime: 0 });

const backtest = (was: number, would: number, more: Partial<Backtest> = {}): Backtest => ({
  from: '2026-03-01T00:00:30.000Z',
  to: '2026-03-08T00:00:00.000Z',
  checks: 1000,
  isCut: false,
  current: outcome(was),
  proposed: outcome(would),
  avoided: [],
  added: [],
  silentRegions: [],
  ...more,
});

describe('the sentence of a backtest', () => {
  it.each([
    [31, 4, 'In the last 7 days you would have had 4 alerts, not 31.'],
    [2, 1, 'In the last 7 days you would have had 1 alert, not 2.'],
    [2, 0, 'In the last 7 days you would have had no alerts, not 2.'],
    [3, 3, 'In the last 7 days you would have had 3 alerts, as now.'],
    [0, 0, 'In the last 7 days you would have had no alert, as now.'],
  ])('of %i alerts that would be %i', (was, would, text) => {
    expect(describeBacktest(backtest(was, would), true)).toBe(text);
  });

  it('tells before anything is changed what the settings gave', () => {
    expect(describeBacktest(backtest(5, 5), false)).toBe('In the last 7 days these settings gave 5 alerts.');
    expect(describeBacktest(backtest(0, 0), false)).toBe('In the last 7 days these settings gave no alert.');
  });

  it('names a shorter time where less is stored, and nothing where nothing is', () => {
    const hours = backtest(1, 0, { from: '2026-03-07T21:00:00.000Z' });
    expect(describeBacktest(hours, true)).toBe('In the last 3h 0m you would have had no alerts, not 1.');
    expect(describeBacktest(backtest(0, 0, { checks: 0 }), true)).toMatch(/^Nothing is stored/);
  });
});
