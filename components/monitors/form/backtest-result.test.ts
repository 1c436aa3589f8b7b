import { describe, expect, it } from 'vitest';
import type { Backtest } from '@/lib/schemas/monitor/backtest';
import { formatBacktest } from './backtest-result';

const outcome = (down: number, degraded = 0) => ({ down, degraded, downtime: 0, degradedTime: 0 });

const backtest = (was: number, would: number, more: Partial<Backtest> = {}): Backtest => ({
  from: '2026-03-01T00:00:30.000Z',
  to: '2026-03-08T00:00:00.000Z',
  checks: 1000,
  isCut: false,
  estimatedChecks: 0,
  sooner: null,
  current: outcome(was),
  proposed: outcome(would),
  avoided: [],
  added: [],
  silentRegions: [],
  ...more,
});

describe('formatBacktest', () => {
  it.each([
    [31, 4, 'In the last 7 days, you would have had 4 alerts instead of 31.'],
    [2, 1, 'In the last 7 days, you would have had 1 alert instead of 2.'],
    [2, 0, 'In the last 7 days, you would have had no alerts instead of 2.'],
    [3, 3, 'In the last 7 days, you would have had 3 alerts, the same as now.'],
    [0, 0, 'In the last 7 days, you would have had no alerts, the same as now.'],
  ])('compares %i alerts with %i', (was, would, text) => {
    expect(formatBacktest(backtest(was, would), true)).toBe(text);
  });

  it('shows what the current settings caused before anything is changed', () => {
    expect(formatBacktest(backtest(5, 5), false)).toBe('In the last 7 days, these settings caused 5 alerts.');
    expect(formatBacktest(backtest(0, 0), false)).toBe(
      'In the last 7 days, these settings caused no alerts.',
    );
  });

  it.each([
    [2, 4, 95_000, 'In the last 7 days, you would have known 1m 35s sooner, and had 2 alerts more.'],
    [2, 2, 95_000, 'In the last 7 days, you would have known 1m 35s sooner, and had as many alerts.'],
    [3, 2, -120_000, 'In the last 7 days, you would have known 2m later, and had 1 alert fewer.'],
    [2, 4, 0, 'In the last 7 days, you would have had 4 alerts instead of 2.'],
  ])('with %i alerts instead of %i, %i ms sooner, it is about when one knows', (was, would, sooner, text) => {
    expect(formatBacktest(backtest(was, would, { sooner }), true)).toBe(text);
  });

  it('names the stored time if it is shorter, and nothing if nothing is stored', () => {
    const hours = backtest(1, 0, { from: '2026-03-07T21:00:00.000Z' });
    expect(formatBacktest(hours, true)).toBe('In the last 3h, you would have had no alerts instead of 1.');
    expect(formatBacktest(backtest(0, 0, { checks: 0 }), true)).toMatch(/^No checks are stored/);
  });
});
